#include "features/files/clamd_link.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>

namespace parley::features {
namespace {

constexpr size_t kAnswerMax = 4096;

int64_t NowMs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

bool IsPause(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

short ClamdLink::Await(short events, int64_t deadline_ms) const {
  while (true) {
    std::array<pollfd, 2> polled = {pollfd{socket_.descriptor(), events, 0}, pollfd{stop_, POLLIN, 0}};
    const int64_t left = std::max<int64_t>(deadline_ms - NowMs(), 0);
    const int ready =
        ::poll(polled.data(), polled.size(), static_cast<int>(std::min<int64_t>(left, 3'600'000)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0 || polled[1].revents != 0) return 0;
    return polled[0].revents;
  }
}

bool ClamdLink::ConnectTo(int family, const void* address, size_t size, int64_t wait_ms) {
  socket_ = PosixFile(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (socket_.descriptor() < 0) return false;
  const auto* generic = static_cast<const sockaddr*>(address);
  if (::connect(socket_.descriptor(), generic, static_cast<socklen_t>(size)) == 0) return true;
  if (errno != EINPROGRESS || Await(POLLOUT, NowMs() + wait_ms) == 0) return false;
  int error = 0;
  socklen_t length = sizeof error;
  return ::getsockopt(socket_.descriptor(), SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0;
}

std::string ClamdLink::Connect(const ScanChoice& to, int64_t wait_ms) {
  if (!to.path.empty()) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, to.path.data(), std::min(to.path.size(), sizeof address.sun_path - 1));
    return ConnectTo(AF_UNIX, &address, sizeof address, wait_ms) ? "" : "its socket takes no connection";
  }
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  // The resolver limits its own waits.
  if (::getaddrinfo(to.host.c_str(), std::to_string(to.port).c_str(), &hints, &found) != 0)
    return "its host has no address";
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> list(found, &::freeaddrinfo);
  for (const addrinfo* one = found; one; one = one->ai_next) {
    if (ConnectTo(one->ai_family, one->ai_addr, one->ai_addrlen, wait_ms)) return {};
  }
  return "its host takes no connection";
}

ClamdLink::Sent ClamdLink::Send(std::string_view bytes, int64_t wait_ms) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<size_t>(sent));
      continue;
    }
    // Its answer, if there is one, can still be read.
    if (sent < 0 && !IsPause(errno)) return Sent::kAnswered;
    const short events = Await(POLLOUT | POLLIN, NowMs() + wait_ms);
    if (events == 0) return Sent::kFailed;
    if ((events & POLLOUT) == 0) return Sent::kAnswered;
  }
  return Sent::kAll;
}

std::optional<std::string> ClamdLink::Receive(int64_t wait_ms) {
  const int64_t deadline_ms = NowMs() + wait_ms;
  std::string out;
  std::array<char, 512> part{};
  while (out.size() <= kAnswerMax) {
    if (Await(POLLIN, deadline_ms) == 0) return std::nullopt;
    const ssize_t got = ::recv(socket_.descriptor(), part.data(), part.size(), 0);
    if (got < 0 && IsPause(errno)) continue;
    if (got <= 0) return std::nullopt;
    out.append(part.data(), static_cast<size_t>(got));
    const size_t end = out.find('\0');
    if (end != std::string::npos) return out.substr(0, end);
  }
  return std::nullopt;
}

}  // namespace parley::features
