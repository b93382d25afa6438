#include "bench/baselines/raw_load.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "bench/baselines/raw_server.h"
#include "bench/measure/cpu.h"
#include "bench/net/http_client.h"
#include "bench/net/poller.h"

namespace parley::bench {
namespace {

// Counts received bytes and reports every `expected` of them.
class RawPeer final : public Poller::Handler {
 public:
  RawPeer(Poller& poller, const sockaddr_in& address, size_t expected, std::function<void(RawPeer&)> got)
      : poller_(poller), expected_(expected), got_(std::move(got)) {
    fd_ = ConnectTo(address);
    if (fd_ < 0) {
      std::perror("parley-bench: connecting");
      std::exit(1);
    }
    poller_.Add(fd_, EPOLLIN, this);
  }
  ~RawPeer() override {
    poller_.Remove(fd_, this);
    close(fd_);
  }
  void Send(const std::string& bytes) {
    if (send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size()))
      std::abort();
  }

 private:
  void OnReady(uint32_t) override {
    static std::vector<char> buffer(size_t{256} << 10);
    const ssize_t n = recv(fd_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (n <= 0) return;
    for (held_ += static_cast<size_t>(n); held_ >= expected_; held_ -= expected_) got_(*this);
  }
  Poller& poller_;
  const size_t expected_;
  const std::function<void(RawPeer&)> got_;
  size_t held_ = 0;
  int fd_ = -1;
};

struct Window {
  explicit Window(pid_t server) : pid(server), began(NowNs()), cpu(ReadCpu(server).on_cpu_ns) {}
  RawFigures Close(uint64_t count) const {
    const auto ns = static_cast<double>(NowNs() - began),
               used = static_cast<double>(ReadCpu(pid).on_cpu_ns - cpu);
    return {static_cast<double>(count) * 1e9 / ns, used / 1e3 / static_cast<double>(count)};
  }
  const pid_t pid;
  const int64_t began, cpu;
};

void PollFor(Poller& poller, double seconds) {
  const int64_t end = NowNs() + static_cast<int64_t>(seconds * 1e9);
  while (NowNs() < end) poller.Poll(end);
}

}  // namespace

RawFigures MeasureRawEcho(size_t connections, size_t request_bytes, size_t reply_bytes, double seconds) {
  const RawServer server(RawServer::Job::kEcho, std::string(reply_bytes, 'r'));
  Poller poller;
  uint64_t answered = 0;
  const std::string request(request_bytes, 'q');
  std::vector<std::unique_ptr<RawPeer>> peers;
  for (size_t i = 0; i < connections; ++i) {
    peers.push_back(std::make_unique<RawPeer>(poller, server.address(), reply_bytes, [&](RawPeer& peer) {
      ++answered;
      peer.Send(request);
    }));
  }
  for (const auto& peer : peers) peer->Send(request);
  PollFor(poller, seconds / 5);
  const Window window(server.pid());
  answered = 0;
  PollFor(poller, seconds);
  return window.Close(answered);
}

RawFigures MeasureRawBroadcast(size_t connections, size_t frame_bytes, size_t burst, double seconds) {
  const RawServer server(burst > 1 ? RawServer::Job::kCoalesced : RawServer::Job::kBroadcast,
                         std::string(frame_bytes, 'f'), burst);
  Poller poller;
  uint64_t arrived = 0;
  std::vector<std::unique_ptr<RawPeer>> peers;
  const auto got = [&](RawPeer&) {
    ++arrived;
    if (arrived % (connections * burst) == 0)
      peers[0]->Send("x");  // one round is complete: start the
                            // next one
  };
  for (size_t i = 0; i < connections; ++i) {
    peers.push_back(std::make_unique<RawPeer>(poller, server.address(), frame_bytes, got));
  }
  for (int i = 0; i < 2; ++i) peers[0]->Send("x");  // two rounds in flight keep the server busy
  PollFor(poller, seconds / 5);
  const Window window(server.pid());
  arrived -= arrived % (connections * burst);
  const uint64_t before = arrived;
  PollFor(poller, seconds);
  return window.Close(arrived - before);
}

}  // namespace parley::bench
