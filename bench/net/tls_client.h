// The client half of TLS for the generator, directly on OpenSSL: its calls are like send() and recv(), so
// that users of a socket need no second path. The poller's thread.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>

typedef struct ssl_ctx_st SSL_CTX;  // as OpenSSL declares them
typedef struct ssl_st SSL;

namespace parley::bench {

// The trusted authorities. Shared by all connections, which it must outlive.
class TlsClient {
 public:
  // `ca_file`: PEM with the authorities to trust; empty: the system's. `insecure`: trusts every server.
  // Returns null, with a message in `error`, if the file cannot be used.
  static std::shared_ptr<const TlsClient> Make(bool insecure, const std::string& ca_file, std::string* error);
  ~TlsClient();
  TlsClient(const TlsClient&) = delete;
  TlsClient& operator=(const TlsClient&) = delete;
  SSL_CTX* get() const { return context_; }
  bool insecure() const { return insecure_; }

 private:
  explicit TlsClient(bool insecure);
  SSL_CTX* const context_;
  const bool insecure_;
};

// On a socket that is or will be connected, blocking or not. The first calls do the handshake.
class TlsSession {
 public:
  TlsSession(const TlsClient& client, int descriptor, const std::string& host);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  // Like send() and recv(): -1 with EAGAIN in errno if the socket must be awaited, with EPROTO if it is
  // unusable. Recv returns at most a record: repeat it until EAGAIN, because epoll does not know the bytes in
  // OpenSSL's buffers.
  ssize_t Send(const char* data, size_t size);
  ssize_t Recv(char* data, size_t size);
  // Whether the last call, of either kind, waits for bytes of the server.
  bool awaits_peer() const { return awaits_peer_; }
  const std::string& fault() const { return fault_; }  // why it is unusable

 private:
  ssize_t Outcome(int result);
  SSL* const ssl_;
  bool awaits_peer_ = false;
  std::string fault_;
};

}  // namespace parley::bench
