#include "bench/net/downloads.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "bench/measure/cpu.h"
#include "bench/net/http_client.h"

namespace parley::bench {
namespace {

constexpr size_t kDownloadBytes = size_t{256} << 10;
constexpr size_t kHeadBytesMax = 8192;

}  // namespace

class Downloads::Client final : private Poller::Handler {
 public:
  Client(Downloads& all, const sockaddr_in& server) : all_(all), fd_(ConnectTo(server)) {
    if (fd_ < 0) {
      Fail("the port is closed");
    } else {
      all_.poller_.Add(fd_, EPOLLIN, this);
      Ask();
    }
  }
  ~Client() override {
    if (fd_ < 0) return;
    all_.poller_.Remove(fd_, this);
    close(fd_);
  }

 private:
  void Fail(const std::string& why) {
    if (all_.counted_.fault.empty()) all_.counted_.fault = why;
  }

  void Ask() {
    head_.clear();
    left_ = 0;
    // A request fits into the kernel's buffer.
    if (send(fd_, all_.request_.data(), all_.request_.size(), MSG_NOSIGNAL) < 0)
      Fail("a request is not taken");
  }

  void OnReady(uint32_t) override {
    const ssize_t n = recv(fd_, all_.buffer_.data(), all_.buffer_.size(), MSG_DONTWAIT);
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) {
      Fail("a connection ended");
      all_.poller_.Remove(fd_, this);
      close(std::exchange(fd_, -1));
      return;
    }
    Take({all_.buffer_.data(), static_cast<size_t>(n)});
  }

  void Take(std::string_view bytes) {
    if (left_ == 0) {
      const size_t before = head_.size();
      head_.append(bytes.substr(0, kHeadBytesMax));
      const size_t end = head_.find("\r\n\r\n");
      if (end == std::string::npos)
        return head_.size() < kHeadBytesMax ? void() : Fail("a head does not end");
      if (head_.find(" 200 ") > 16) return Fail("answered with " + head_.substr(0, head_.find('\r')));
      left_ = all_.size_;
      bytes.remove_prefix(end + 4 - before);
    }
    if (bytes.size() > left_) return Fail("a body is longer than the file");
    left_ -= bytes.size();
    all_.counted_.bytes += bytes.size();
    if (left_ > 0) return;
    ++all_.counted_.answers;
    Ask();
  }

  Downloads& all_;
  int fd_;
  std::string head_;
  uint64_t left_ = 0;  // 0: the head is not here yet
};

Downloads::Downloads(Poller& poller, const sockaddr_in& server, const std::string& path, uint64_t size,
                     size_t clients)
    : poller_(poller),
      request_("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"),
      size_(size),
      buffer_(kDownloadBytes) {
  for (size_t i = 0; i < clients; ++i) clients_.push_back(std::make_unique<Client>(*this, server));
}

Downloads::~Downloads() = default;

DownloadsResult Downloads::Run(double seconds) {
  const auto poll_for = [&](double s) {
    for (const int64_t until = NowNs() + static_cast<int64_t>(s * 1e9);
         NowNs() < until && counted_.fault.empty();)
      poller_.Poll(until);
  };
  poll_for(seconds / 5);
  const std::string fault = counted_.fault;
  counted_ = {};
  counted_.fault = fault;
  const int64_t began = NowNs(), waited = poller_.waited_ns();
  poll_for(seconds);
  counted_.seconds = static_cast<double>(NowNs() - began) / 1e9;
  counted_.own_idle = static_cast<double>(poller_.waited_ns() - waited) / 1e9 / counted_.seconds;
  if (counted_.fault.empty() && counted_.answers == 0) counted_.fault = "nothing was answered";
  return counted_;
}

}  // namespace parley::bench
