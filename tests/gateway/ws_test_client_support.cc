#include "tests/gateway/ws_test_client_support.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "bench/net/ws_frame.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// Debian's gcc does not install sanitizer/allocator_interface.h, which declares it.
extern "C" size_t __sanitizer_get_current_allocated_bytes();
#endif

namespace parley::gateway_test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kMask[4] = {'\x37', '\x5a', '\x11', '\x04'};

std::string FrameStart(int opcode, uint64_t length, bool fin, bool masked) {
  std::string out;
  bench::AppendFrameHead(&out, static_cast<uint8_t>(opcode), length, masked);
  if (!fin) out[0] = static_cast<char>(out[0] & 0x7f);
  if (masked) out.replace(out.size() - sizeof kMask, sizeof kMask, kMask, sizeof kMask);
  return out;
}

std::string HeaderLines(const Headers& defaults, const Headers& headers) {
  std::string out;
  const auto line = [&out](const auto& header) {
    if (!header.second.empty()) out += header.first + ": " + header.second + "\r\n";
  };
  for (const auto& header : defaults) {
    const bool replaced = std::any_of(headers.begin(), headers.end(), [&header](const auto& other) {
      return strcasecmp(other.first.c_str(), header.first.c_str()) == 0;
    });
    if (!replaced) line(header);
  }
  for (const auto& header : headers) line(header);
  return out;
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const auto& part : parts) out += (out.empty() ? "" : ", ") + part;
  return out;
}

void ParseHead(const std::string& head, WsResponse* response) {
  size_t at = head.find("\r\n");
  if (head.compare(0, 9, "HTTP/1.1 ") == 0) response->status = std::atoi(head.c_str() + 9);
  while (at != std::string::npos && at + 2 < head.size()) {
    const size_t end = std::min(head.find("\r\n", at + 2), head.size());
    const std::string line = head.substr(at + 2, end - at - 2);
    const size_t colon = line.find(':');
    if (colon != std::string::npos) {
      const size_t start = line.find_first_not_of(' ', colon + 1);
      response->headers.emplace_back(line.substr(0, colon),
                                     start == std::string::npos ? "" : line.substr(start));
    }
    at = end == head.size() ? std::string::npos : end;
  }
}

}  // namespace

std::string WsResponse::Header(const std::string& name) const {
  for (const auto& [key, value] : headers) {
    if (strcasecmp(key.c_str(), name.c_str()) == 0) return value;
  }
  return {};
}

int WsFrame::close_code() const {
  if (!is_close()) return 0;
  if (payload.size() < 2) return 1005;
  return (static_cast<unsigned char>(payload[0]) << 8) | static_cast<unsigned char>(payload[1]);
}

std::string WsFrame::close_reason() const {
  return is_close() && payload.size() > 2 ? payload.substr(2) : "";
}

std::string ClientFrame(int opcode, const std::string& payload, bool fin, bool masked) {
  std::string out = FrameStart(opcode, payload.size(), fin, masked);
  for (size_t i = 0; i < payload.size(); ++i) {
    out.push_back(masked ? static_cast<char>(payload[i] ^ kMask[i % 4]) : payload[i]);
  }
  return out;
}

std::string ClientFrameHeader(int opcode, uint64_t length, bool fin) {
  return FrameStart(opcode, length, fin, true);
}

WsTestClient::WsTestClient() {
  std::signal(SIGPIPE, SIG_IGN);
}
WsTestClient::~WsTestClient() {
  Close();
}

WsTestClient::WsTestClient(WsTestClient&& other) noexcept {
  *this = std::move(other);
}

WsTestClient& WsTestClient::operator=(WsTestClient&& other) noexcept {
  if (this == &other) return *this;
  Close();
  fd_ = std::exchange(other.fd_, -1);
  receive_buffer_bytes_ = other.receive_buffer_bytes_;
  source_address_ = other.source_address_;
  tls_ = other.tls_;
  ssl_context_ = std::exchange(other.ssl_context_, nullptr);
  ssl_ = std::exchange(other.ssl_, nullptr);
  in_ = std::move(other.in_);
  return *this;
}

void WsTestClient::Close() {
  if (ssl_ != nullptr) SSL_free(std::exchange(ssl_, nullptr));
  if (ssl_context_ != nullptr) SSL_CTX_free(std::exchange(ssl_context_, nullptr));
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  in_.clear();
}

void WsTestClient::Reset() {
  const linger now = {1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  Close();
}

void WsTestClient::ShutdownWrite() {
  ::shutdown(fd_, SHUT_WR);
}

bool WsTestClient::Dial(uint16_t port) {
  Close();
  fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd_ < 0) return false;
  const int on = 1;
  ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (receive_buffer_bytes_ > 0) {
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes_, sizeof receive_buffer_bytes_);
  }
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  if (!source_address_.empty()) {
    ::inet_pton(AF_INET, source_address_.c_str(), &address.sin_addr);
    if (::bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return false;
  }
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return false;
  ::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) | O_NONBLOCK);
  return !tls_ || TlsHandshake();
}

bool WsTestClient::TlsHandshake() {
  ssl_context_ = SSL_CTX_new(TLS_client_method());
  if (tls_version_ != 0) {
    SSL_CTX_set_min_proto_version(ssl_context_, tls_version_);
    SSL_CTX_set_max_proto_version(ssl_context_, tls_version_);
    EXPECT_EQ(SSL_CTX_set_cipher_list(ssl_context_, tls_ciphers_.c_str()), 1);
  }
  ssl_ = SSL_new(ssl_context_);
  if (tls_session_) SSL_set_session(ssl_, tls_session_.get());
  SSL_set_fd(ssl_, fd_);
  const auto until = Clock::now() + std::chrono::milliseconds(kTimeoutMs);
  for (;;) {
    const int result = SSL_connect(ssl_);
    if (result == 1) return true;
    const int reason = SSL_get_error(ssl_, result);
    if (reason != SSL_ERROR_WANT_READ && reason != SSL_ERROR_WANT_WRITE) return false;
    if (Wait(reason == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, until) != Io::kOk) return false;
  }
}

std::string WsTestClient::PeerCertificate() {
  unsigned char* der = nullptr;
  const int size = i2d_X509(SSL_get0_peer_certificate(ssl_), &der);
  std::string out(reinterpret_cast<char*>(der), static_cast<size_t>(size));
  OPENSSL_free(der);
  return out;
}

void WsTestClient::KeepTlsSession() {
  // Duplicates it: SSL_free invalidates the session of a connection that was not shut down.
  tls_session_.reset(SSL_SESSION_dup(SSL_get_session(ssl_)), &SSL_SESSION_free);
}

bool WsTestClient::resumed() {
  return SSL_session_reused(ssl_) == 1;
}

WsResponse WsTestClient::Connect(uint16_t port, const std::string& path,
                                 const std::vector<std::string>& subprotocols, const Headers& headers) {
  if (!Dial(port)) return {};
  const Headers defaults = {{"Host", "127.0.0.1:" + std::to_string(port)},
                            {"Upgrade", "websocket"},
                            {"Connection", "Upgrade"},
                            {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="},
                            {"Sec-WebSocket-Version", "13"},
                            {"Sec-WebSocket-Protocol", Joined(subprotocols)}};
  if (!SendRaw("GET " + path + " HTTP/1.1\r\n" + HeaderLines(defaults, headers) + "\r\n")) return {};
  return ReadResponse();
}

bool WsTestClient::SendClose(uint16_t code, const std::string& reason) {
  std::string payload = {static_cast<char>(code >> 8), static_cast<char>(code)};
  return SendRaw(ClientFrame(8, payload + reason));
}

bool WsTestClient::AnswersClose(uint16_t code) {
  return SendClose(code) && ReadToClose().close_code() == code;
}

bool WsTestClient::SendRaw(const std::string& bytes) {
  const auto until = Clock::now() + std::chrono::milliseconds(kTimeoutMs);
  for (size_t done = 0; done < bytes.size();) {
    ssize_t n = 0;
    bool again = false;
    if (ssl_ != nullptr) {
      n = SSL_write(ssl_, bytes.data() + done, static_cast<int>(bytes.size() - done));
      again = n <= 0 && SSL_get_error(ssl_, static_cast<int>(n)) == SSL_ERROR_WANT_WRITE;
    } else {
      n = ::send(fd_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
      again = n < 0 && errno == EAGAIN;
    }
    if (n > 0) {
      done += static_cast<size_t>(n);
    } else if (!again || Wait(POLLOUT, until) != Io::kOk) {
      return false;
    }
  }
  return true;
}

WsTestClient::Io WsTestClient::Wait(short events, Clock::time_point until) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
  pollfd item = {fd_, events, 0};
  return ::poll(&item, 1, static_cast<int>(std::max<int64_t>(left, 0))) > 0 ? Io::kOk : Io::kTimeout;
}

WsTestClient::Io WsTestClient::Fill(int timeout_ms) {
  const auto until = Clock::now() + std::chrono::milliseconds(timeout_ms);
  char buffer[16384];
  for (;;) {
    ssize_t n = 0;
    if (ssl_ != nullptr) {
      n = SSL_read(ssl_, buffer, sizeof buffer);
      const int reason = n > 0 ? 0 : SSL_get_error(ssl_, static_cast<int>(n));
      if (n <= 0 && reason == SSL_ERROR_ZERO_RETURN) return Io::kEnd;
      if (n <= 0 && reason != SSL_ERROR_WANT_READ) return Io::kReset;
    } else {
      n = ::recv(fd_, buffer, sizeof buffer, 0);
      if (n == 0) return Io::kEnd;
      if (n < 0 && errno != EAGAIN) return Io::kReset;
    }
    if (n > 0) {
      in_.append(buffer, static_cast<size_t>(n));
      return Io::kOk;
    }
    if (Wait(POLLIN, until) != Io::kOk) return Io::kTimeout;
  }
}

WsFrame WsTestClient::ReadFrame(int timeout_ms) {
  WsFrame frame;
  for (;;) {
    const auto head = bench::ReadFrameHead(in_);
    if (head && in_.size() >= head->bytes + head->payload_bytes) {
      EXPECT_FALSE(head->masked) << "a server must not mask";
      frame.kind = WsFrame::kFrame;
      frame.fin = (in_[0] & 0x80) != 0;
      frame.opcode = head->opcode;
      frame.payload = in_.substr(head->bytes, head->payload_bytes);
      in_.erase(0, head->bytes + head->payload_bytes);
      return frame;
    }
    const Io io = Fill(timeout_ms);
    if (io == Io::kOk) continue;
    frame.kind = io == Io::kEnd ? WsFrame::kEnd : io == Io::kReset ? WsFrame::kReset : WsFrame::kTimeout;
    EXPECT_FALSE(io == Io::kTimeout && timeout_ms == kTimeoutMs) << "no frame came";
    return frame;
  }
}

WsFrame WsTestClient::ReadData() {
  WsFrame frame = ReadFrame();
  while (frame.ok() && (frame.opcode == 9 || frame.opcode == 10)) frame = ReadFrame();
  return frame;
}

WsFrame WsTestClient::ReadToClose() {
  WsFrame frame = ReadFrame();
  while (frame.ok() && !frame.is_close()) frame = ReadFrame();
  return frame;
}

WsResponse WsTestClient::ReadResponse(bool head_request) {
  WsResponse response;
  size_t end = std::string::npos;
  while ((end = in_.find("\r\n\r\n")) == std::string::npos) {
    const Io io = Fill(kTimeoutMs);
    EXPECT_NE(io, Io::kTimeout) << "no HTTP response came";
    if (io != Io::kOk) return response;
  }
  ParseHead(in_.substr(0, end), &response);
  in_.erase(0, end + 4);
  if (response.status == 101 || response.status == 100 || head_request) return response;
  const std::string length = response.Header("Content-Length");
  if (response.Header("Transfer-Encoding") == "chunked") {
    ReadChunks(&response.body);
  } else if (response.status == 204 || response.status == 304) {
    return response;
  } else if (length.empty()) {
    while (Fill(kTimeoutMs) == Io::kOk) {
    }
    response.body = std::exchange(in_, {});
  } else {
    response.body = ReadRaw(std::strtoul(length.c_str(), nullptr, 10));
  }
  return response;
}

// Without a last chunk the body ends with the stream.
void WsTestClient::ReadChunks(std::string* body) {
  for (;;) {
    std::string line;
    while (line.size() < 2 || line.compare(line.size() - 2, 2, "\r\n") != 0) {
      const std::string c = ReadRaw(1);
      if (c.empty()) return;
      line += c;
    }
    const size_t size = std::strtoul(line.c_str(), nullptr, 16);
    body->append(ReadRaw(size));
    ReadRaw(2);
    if (size == 0) return;
  }
}

std::string WsTestClient::ReadRaw(size_t bytes) {
  while (in_.size() < bytes) {
    const Io io = Fill(kTimeoutMs);
    EXPECT_NE(io, Io::kTimeout) << "waited in vain for " << bytes << " bytes";
    if (io != Io::kOk) break;
  }
  const std::string out = in_.substr(0, bytes);
  in_.erase(0, out.size());
  return out;
}

bool WsTestClient::AwaitEnd() {
  for (;;) {
    in_.clear();
    const Io io = Fill(kTimeoutMs);
    if (io != Io::kOk) return io != Io::kTimeout;
  }
}

WsResponse HttpRequest(uint16_t port, const std::string& method, const std::string& target,
                       const std::string& body, const Headers& headers) {
  WsTestClient client;
  if (!client.Dial(port)) return {};
  const Headers defaults = {{"Host", "127.0.0.1"},
                            {"Connection", "close"},
                            {"Content-Length", body.empty() ? "" : std::to_string(body.size())}};
  client.SendRaw(method + " " + target + " HTTP/1.1\r\n" + HeaderLines(defaults, headers) + "\r\n" + body);
  return client.ReadResponse(method == "HEAD");
}

WsResponse HttpGet(uint16_t port, const std::string& target, const Headers& headers) {
  return HttpRequest(port, "GET", target, "", headers);
}

WsResponse HttpPost(uint16_t port, const std::string& target, const std::string& body,
                    const Headers& headers) {
  return HttpRequest(port, "POST", target, body, headers);
}

size_t HeapBytes() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return __sanitizer_get_current_allocated_bytes();
#else
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
#endif
}

}  // namespace parley::gateway_test
