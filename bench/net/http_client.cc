#include "bench/net/http_client.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

namespace parley::bench {
namespace {

constexpr std::string_view kHeadEnd = "\r\n\r\n";
// Returns the text after a header's name, which is in lower case with its line's beginning and colon.
std::optional<std::string_view> FindHeader(std::string_view head, std::string_view name) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  const auto* const at = std::search(head.begin(), head.end(), name.begin(), name.end(), same);
  if (at == head.end()) return std::nullopt;
  std::string_view rest(at + name.size(), static_cast<size_t>(head.end() - at) - name.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return rest;
}

// The size of the body; nullopt if the head does not state it.
std::optional<size_t> BodyBytes(std::string_view head) {
  const auto digits = FindHeader(head, "\r\ncontent-length:");
  size_t bytes = 0;
  if (!digits || std::from_chars(digits->data(), digits->data() + digits->size(), bytes).ec != std::errc())
    return std::nullopt;
  return bytes;
}

bool EndsWithClose(std::string_view head) {
  const auto connection = FindHeader(head, "\r\nconnection:");
  return connection && connection->starts_with("close");
}

int StatusOf(std::string_view head) {
  int status = 0;
  if (head.size() >= 12) std::from_chars(head.data() + 9, head.data() + 12, status);
  return status;
}

}  // namespace

int ConnectTo(const sockaddr_in& address) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
  close(fd);
  return -1;
}

HttpClient::HttpClient(Poller& poller, const Origin& origin, Listener& listener, size_t tag)
    : poller_(poller), listener_(listener), tag_(tag), fd_(ConnectTo(origin.address)) {
  if (fd_ < 0) {
    fault_ = std::strerror(errno);
    return;
  }
  fcntl(fd_, F_SETFL, fcntl(fd_, F_GETFL) | O_NONBLOCK);
  if (origin.tls) tls_ = std::make_unique<TlsSession>(*origin.tls, fd_, origin.host);
  poller_.Add(fd_, EPOLLIN, this);
}

HttpClient::~HttpClient() {
  if (fd_ < 0) return;
  poller_.Remove(fd_, this);
  tls_.reset();
  close(fd_);
}

std::string HttpClient::fault() const {
  if (tls_ && !tls_->fault().empty()) return "TLS: " + tls_->fault();
  return fault_.empty() ? "the answer is not HTTP/1.1" : fault_;
}

void HttpClient::Send(std::string_view request) {
  if (fd_ < 0) return listener_.OnLost(*this);
  unsent_ = request;
  answer_.clear();
  Write();
}

void HttpClient::Write() {
  while (!unsent_.empty()) {
    const ssize_t n = tls_ ? tls_->Send(unsent_.data(), unsent_.size())
                           : send(fd_, unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
    if (n <= 0 && errno != EAGAIN) return Lose();
    if (n <= 0) break;
    unsent_.remove_prefix(static_cast<size_t>(n));
  }
  const bool awaits_room = !unsent_.empty() && !(tls_ && tls_->awaits_peer());
  if (blocked_ == awaits_room) return;
  blocked_ = awaits_room;
  poller_.Modify(fd_, blocked_ ? EPOLLIN | EPOLLOUT : EPOLLIN, this);
}

bool HttpClient::Read() {
  static thread_local char buffer[64 * 1024];
  const ssize_t n = tls_ ? tls_->Recv(buffer, sizeof buffer) : recv(fd_, buffer, sizeof buffer, 0);
  if (n < 0 && errno == EAGAIN) return false;
  if (n > 0) answer_.append(buffer, static_cast<size_t>(n));
  const bool sound = TakeAnswer(n == 0) && n > 0;
  if (!sound && fd_ >= 0) Lose();
  return fd_ >= 0;
}

// Returns false if the answer cannot be read.
bool HttpClient::TakeAnswer(bool ended) {
  const size_t end = answer_.find(kHeadEnd);
  if (end == std::string::npos) return true;
  const std::string_view head = std::string_view(answer_).substr(0, end);
  const size_t body = end + kHeadEnd.size();
  auto bytes = BodyBytes(head);
  if (!bytes && !EndsWithClose(head)) return false;
  if (!bytes && ended) bytes = answer_.size() - body;
  if (!bytes || answer_.size() < body + *bytes) return true;
  std::string answer;
  answer.swap(answer_);  // the next request clears it
  listener_.OnAnswer(*this, StatusOf(answer), std::string_view(answer).substr(body, *bytes));
  return true;
}

void HttpClient::Lose() {
  poller_.Remove(fd_, this);
  close(fd_);
  fd_ = -1;
  listener_.OnLost(*this);
}

void HttpClient::OnReady(uint32_t events) {
  if (events & EPOLLOUT) Write();
  if (fd_ >= 0 && (events & (EPOLLIN | EPOLLHUP | EPOLLERR))) {
    while (Read() && tls_) {
    }
  }
  if (fd_ >= 0 && tls_ && !unsent_.empty()) Write();  // it waited for the server's part of the handshake
}

}  // namespace parley::bench
