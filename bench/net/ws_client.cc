#include "bench/net/ws_client.h"

#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <vector>

#include "bench/net/ws_frame.h"

namespace parley::bench {
namespace {

constexpr size_t kReadBytes = size_t{256} << 10;
constexpr size_t kLargestMessage = size_t{16} << 20;

// Shared by all clients of the one thread: an incomplete message is copied out of it.
char* ReadBuffer() {
  static std::vector<char> buffer(kReadBytes);
  return buffer.data();
}

void AppendFrame(std::string* out, uint8_t opcode, std::string_view payload) {
  AppendFrameHead(out, opcode, payload.size(), true);
  out->append(payload);
}

}  // namespace

void WsClient::Connect(const Origin& origin, std::string_view subprotocol) {
  fd_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd_ < 0) return Fail(1006);
  const int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (origin.tls) tls_ = std::make_unique<TlsSession>(*origin.tls, fd_, origin.host);
  binary_ = subprotocol.ends_with("msgpack");
  out_ =
      "GET /v1/ws HTTP/1.1\r\nHost: " + origin.host +
      "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ";
  out_.append(subprotocol).append("\r\n\r\n");
  state_ = State::kConnecting;
  if (connect(fd_, reinterpret_cast<const sockaddr*>(&origin.address), sizeof origin.address) != 0 &&
      errno != EINPROGRESS) {
    return Fail(1006);
  }
  poller_.Add(fd_, EPOLLIN | EPOLLOUT, this);
}

void WsClient::Send(std::string_view payload) {
  if (state_ != State::kOpen) return;
  AppendFrame(&out_, binary_ ? 2 : 1, payload);
  if (dirty_) return;
  dirty_ = true;
  poller_.FlushLater(this);
}

void WsClient::Close() {
  if (fd_ < 0) return;
  poller_.Remove(fd_, this);
  tls_.reset();
  close(fd_);
  fd_ = -1;
  state_ = State::kClosed;
  dirty_ = false;
  out_.clear();
  partial_.clear();
}

void WsClient::Fail(uint16_t code) {
  if (tls_ && !tls_->fault().empty()) std::fprintf(stderr, "parley-bench: TLS: %s\n", tls_->fault().c_str());
  Close();
  sink_.OnClosed(code);
}

void WsClient::Watch() {
  poller_.Modify(fd_, EPOLLIN | (blocked_ ? uint32_t{EPOLLOUT} : 0), this);
}

void WsClient::OnReady(uint32_t events) {
  if (state_ == State::kConnecting && (events & EPOLLOUT)) {
    state_ = State::kHandshake;
    blocked_ = true;  // so that Flush stops watching for room
  }
  if (events & EPOLLOUT) Flush();
  if (fd_ >= 0 && (events & (EPOLLIN | EPOLLHUP | EPOLLERR))) Read();
  if (tls_ && !out_.empty()) Flush();  // output that waited for the server's part of the handshake
}

ssize_t WsClient::Put(const char* data, size_t size) {
  return tls_ ? tls_->Send(data, size) : send(fd_, data, size, MSG_NOSIGNAL);
}

ssize_t WsClient::Take(char* data, size_t size) {
  return tls_ ? tls_->Recv(data, size) : recv(fd_, data, size, 0);
}

bool WsClient::Offer(int* fd, iovec* bytes) {
  if (fd_ < 0 || state_ == State::kConnecting || tls_ || out_.empty()) return false;
  *fd = fd_;
  *bytes = {out_.data(), out_.size()};
  return true;
}

void WsClient::Flush() {
  dirty_ = false;
  if (fd_ < 0 || state_ == State::kConnecting) return;
  size_t sent = 0;
  while (sent < out_.size()) {
    const ssize_t n = Put(out_.data() + sent, out_.size() - sent);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (n < 0) return Fail(1006);
    sent += static_cast<size_t>(n);
  }
  out_.erase(0, sent);
  const bool awaits_room = !out_.empty() && !(tls_ && tls_->awaits_peer());
  if (blocked_ == awaits_room) return;
  blocked_ = awaits_room;
  Watch();
}

void WsClient::Read() {
  while (ReadSome() && tls_ && state_ >= State::kHandshake) {
  }
}

bool WsClient::ReadSome() {
  const ssize_t n = Take(ReadBuffer(), kReadBytes);
  if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
  if (n <= 0) {
    Fail(close_code_);
    return false;
  }
  bytes_in_ += static_cast<size_t>(n);
  std::string_view bytes(ReadBuffer(), static_cast<size_t>(n));
  if (!partial_.empty()) {
    partial_.append(bytes);
    const std::string whole = std::move(partial_);
    partial_.clear();
    const size_t taken = Consume(whole);
    if (fd_ >= 0) partial_.assign(whole, taken);
    return fd_ >= 0;
  }
  const size_t taken = Consume(bytes);
  if (fd_ >= 0) partial_.assign(bytes.substr(taken));
  return fd_ >= 0;
}

size_t WsClient::TakeHandshake(std::string_view bytes) {
  const size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return 0;
  if (!bytes.starts_with("HTTP/1.1 101")) {
    std::fprintf(stderr, "upgrade refused: %.*s\n", static_cast<int>(bytes.find("\r\n")), bytes.data());
    Fail(1006);
    return 0;
  }
  state_ = State::kOpen;
  sink_.OnOpen();
  return end + 4;
}

size_t WsClient::Consume(std::string_view bytes) {
  size_t at = 0;
  if (state_ == State::kHandshake) {
    at = TakeHandshake(bytes);
    if (at == 0) return 0;
  }
  while (fd_ >= 0) {
    const auto head = ReadFrameHead(bytes.substr(at));
    if (!head) break;
    const uint64_t size = head->payload_bytes;
    if (size > kLargestMessage) {
      Fail(1009);
      break;
    }
    if (bytes.size() - at < head->bytes + size) break;
    const std::string_view payload = bytes.substr(at + head->bytes, size);
    const int opcode = head->opcode;
    at += head->bytes + size;
    if (opcode == 1 || opcode == 2) {
      sink_.OnMessage(payload);
    } else if (opcode == 9) {
      AppendFrame(&out_, 10, payload);
      if (!dirty_) poller_.FlushLater(this);
      dirty_ = true;
    } else if (opcode == 8 && size >= 2) {
      close_code_ =
          static_cast<uint16_t>(static_cast<uint8_t>(payload[0]) << 8 | static_cast<uint8_t>(payload[1]));
    }
  }
  return at;
}

}  // namespace parley::bench
