// A WebSocket and HTTP client for tests of the gateway: plain blocking sockets, independent of the code under
// test, and able to violate every rule. Each wait is bounded: the test fails after kTimeoutMs instead of
// hanging. A client belongs to one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct ssl_session_st SSL_SESSION;

namespace parley::gateway_test {

constexpr int kTimeoutMs = 20'000;

struct WsResponse {
  int status = 0;  // 0 if no response arrived
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::string Header(const std::string& name) const;  // case-insensitive; empty if missing
};

struct WsFrame {
  enum Kind { kFrame, kEnd, kReset, kTimeout };  // kEnd: the peer closed; kReset: RST
  Kind kind = kTimeout;
  bool fin = true;
  int opcode = 0;
  std::string payload;
  bool ok() const { return kind == kFrame; }
  bool is_close() const { return ok() && opcode == 8; }
  int close_code() const;  // 1005 if none was given, 0 if this is not a close frame
  std::string close_reason() const;
};

using Headers = std::vector<std::pair<std::string, std::string>>;

// Opcodes: 0 continuation, 1 text, 2 binary, 8 close, 9 ping, 10 pong. Masked with a fixed key unless
// `masked` is false.
std::string ClientFrame(int opcode, const std::string& payload, bool fin = true, bool masked = true);
// A header that claims `length` bytes, without the bytes.
std::string ClientFrameHeader(int opcode, uint64_t length, bool fin = true);

class WsTestClient {
 public:
  WsTestClient();
  ~WsTestClient();
  WsTestClient(WsTestClient&& other) noexcept;
  WsTestClient& operator=(WsTestClient&& other) noexcept;

  // Set before connecting; a small one makes a slow reader early.
  void set_receive_buffer_bytes(int bytes) { receive_buffer_bytes_ = bytes; }  // soon makes it a slow reader
  void set_source_address(const std::string& address) { source_address_ = address; }
  void set_tls(bool tls) { tls_ = tls; }
  void set_tls_version(int version, const std::string& ciphers) {  // only this version
    tls_ = true;
    tls_version_ = version;
    tls_ciphers_ = ciphers;
  }

  bool Dial(uint16_t port);  // TCP (and TLS) only
  // The upgrade; 101 means open. `headers` replace defaults of the same name (an empty value omits the
  // header).
  WsResponse Connect(uint16_t port, const std::string& path = "/v1/ws",
                     const std::vector<std::string>& subprotocols = {}, const Headers& headers = {});

  bool SendText(const std::string& payload) { return SendRaw(ClientFrame(1, payload)); }
  bool SendBinary(const std::string& payload) { return SendRaw(ClientFrame(2, payload)); }
  bool SendPing(const std::string& payload = "") { return SendRaw(ClientFrame(9, payload)); }
  bool SendClose(uint16_t code, const std::string& reason = "");
  bool SendRaw(const std::string& bytes);  // returns false if the peer is gone
  void ShutdownWrite();
  void Reset();  // RST, as if the process died
  void Close();

  WsFrame ReadFrame(int timeout_ms = kTimeoutMs);  // any frame
  WsFrame ReadData();                              // the next frame that is not a ping or pong
  // Reads until a close frame (returned) or the end.
  WsFrame ReadToClose();
  WsResponse ReadResponse(bool head_request = false);
  std::string ReadRaw(size_t bytes);  // fewer at the end of the stream
  bool AwaitEnd();  // reads and discards everything; true when the peer closed or reset, false on time-out
  bool AnswersClose(uint16_t code);  // sends a close frame, true when the answer carries the same code
  int fd() const { return fd_; }
  std::string PeerCertificate();  // DER; REQUIRES: connected with TLS
  void KeepTlsSession();          // for the next Dial
  bool resumed();

 private:
  enum class Io { kOk, kEnd, kReset, kTimeout };
  Io Fill(int timeout_ms);  // reads something into in_
  Io Wait(short events, std::chrono::steady_clock::time_point until);
  bool TlsHandshake();
  void ReadChunks(std::string* body);

  int fd_ = -1;
  int receive_buffer_bytes_ = 0;
  std::string source_address_;
  bool tls_ = false;
  SSL_CTX* ssl_context_ = nullptr;
  SSL* ssl_ = nullptr;
  int tls_version_ = 0;
  std::string tls_ciphers_;
  std::shared_ptr<SSL_SESSION> tls_session_;
  std::string in_;
};

// One request on a separate connection.
WsResponse HttpRequest(uint16_t port, const std::string& method, const std::string& target,
                       const std::string& body = "", const Headers& headers = {});
WsResponse HttpGet(uint16_t port, const std::string& target, const Headers& headers = {});
WsResponse HttpPost(uint16_t port, const std::string& target, const std::string& body,
                    const Headers& headers = {});

// The bytes on the process's heap.
size_t HeapBytes();

}  // namespace parley::gateway_test
