#include "bench/net/http_client.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <optional>

namespace parley::bench {
namespace {

constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr std::string_view kLength = "\r\ncontent-length:";

// The size of the body; nullopt if the head does not state it.
std::optional<size_t> BodyBytes(std::string_view head) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  const auto* const at = std::search(head.begin(), head.end(), kLength.begin(), kLength.end(), same);
  if (at == head.end()) return std::nullopt;
  const char* digits = at + kLength.size();
  while (digits != head.end() && *digits == ' ') ++digits;
  size_t bytes = 0;
  if (std::from_chars(digits, head.end(), bytes).ec != std::errc()) return std::nullopt;
  return bytes;
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

HttpClient::HttpClient(Poller& poller, const sockaddr_in& address, Listener& listener, size_t tag)
    : poller_(poller), listener_(listener), tag_(tag), fd_(ConnectTo(address)) {
  if (fd_ < 0) return;
  fcntl(fd_, F_SETFL, fcntl(fd_, F_GETFL) | O_NONBLOCK);
  poller_.Add(fd_, EPOLLIN, this);
}

HttpClient::~HttpClient() {
  if (fd_ < 0) return;
  poller_.Remove(fd_, this);
  close(fd_);
}

void HttpClient::Send(std::string_view request) {
  if (fd_ < 0) return listener_.OnLost(*this);
  unsent_ = request;
  answer_.clear();
  Write();
}

void HttpClient::Write() {
  while (!unsent_.empty()) {
    const ssize_t n = send(fd_, unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN) return Lose();
    if (n < 0) break;
    unsent_.remove_prefix(static_cast<size_t>(n));
  }
  if (blocked_ == !unsent_.empty()) return;
  blocked_ = !unsent_.empty();
  poller_.Modify(fd_, blocked_ ? EPOLLIN | EPOLLOUT : EPOLLIN, this);
}

void HttpClient::Read() {
  static thread_local char buffer[64 * 1024];
  const ssize_t n = recv(fd_, buffer, sizeof buffer, 0);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) return Lose();
  answer_.append(buffer, static_cast<size_t>(n));
  TakeAnswer();
}

void HttpClient::TakeAnswer() {
  const size_t end = answer_.find(kHeadEnd);
  if (end == std::string::npos) return;
  const std::string_view head = std::string_view(answer_).substr(0, end);
  const auto bytes = BodyBytes(head);
  if (!bytes) return Lose();
  const size_t body = end + kHeadEnd.size();
  if (answer_.size() < body + *bytes) return;
  std::string answer;
  answer.swap(answer_);  // the next request clears it
  listener_.OnAnswer(*this, StatusOf(answer), std::string_view(answer).substr(body, *bytes));
}

void HttpClient::Lose() {
  poller_.Remove(fd_, this);
  close(fd_);
  fd_ = -1;
  listener_.OnLost(*this);
}

void HttpClient::OnReady(uint32_t events) {
  if (events & EPOLLOUT) Write();
  if (fd_ >= 0 && (events & (EPOLLIN | EPOLLHUP | EPOLLERR))) Read();
}

}  // namespace parley::bench
