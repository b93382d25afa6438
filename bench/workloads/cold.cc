// P20: the cost of one session that reads a cold store, for the other sessions. One session pings by the
// clock; alternately it is alone, or another session reads page after page of threads that were not read
// lately.
//
// Cold means: the store is many times the block cache, which has its minimum size, and the kernel's cache of
// its files is dropped twenty times a second (posix_fadvise), in both halves of a round. The kernel counts
// how much the server then read from the disk (/proc/PID/io): if that is less than a block for each page, the
// figure is not valid.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "bench/load/dataset.h"
#include "bench/load/rooms.h"
#include "bench/measure/cpu.h"
#include "bench/process/server_process.h"
#include "bench/workloads/stores.h"
#include "bench/workloads/workload.h"

namespace parley::bench {
namespace {

constexpr const char* kPinger = "pinger";
constexpr size_t kPagesAtOnce = 8;
constexpr int64_t kColdPage = 50, kColdPingEveryNs = 1'000'000, kChillMs = 50, kBlock = 4096;
constexpr uint64_t kPing = 1, kPageOf = 2;

// Drops a store's files from the kernel's cache, again and again.
class Chiller {
 public:
  explicit Chiller(std::string dir)
      : dir_(std::move(dir)), thread_([this] {
          while (!over_) {
            Chill();
            std::this_thread::sleep_for(std::chrono::milliseconds(kChillMs));
          }
        }) {}
  ~Chiller() {
    over_ = true;
    thread_.join();
  }

 private:
  void Chill() {
    std::error_code gone;  // removed by a compaction
    for (const auto& entry : std::filesystem::directory_iterator(dir_, gone)) {
      if (entry.path().extension() != ".sst") continue;
      const int fd = open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
      if (fd < 0) continue;
      posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
      close(fd);
    }
  }
  const std::string dir_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

// The bytes that a process read from the disk.
int64_t BytesFromDisk(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/io");
  std::string name;
  for (int64_t value = 0; in >> name >> value;) {
    if (name == "read_bytes:") return value;
  }
  return 0;
}

class PingsAndPages final : private LoadSession::Listener {
 public:
  PingsAndPages(Fleet& fleet, const std::vector<protocol::ThreadId>& threads)
      : fleet_(fleet), threads_(threads) {
    fleet.set_listener(this);
  }
  ~PingsAndPages() override { fleet_.set_listener(nullptr); }

  // A latency counts from the due time of its ping, whatever delayed it.
  Histogram Run(double seconds, bool read) {
    pings_.Reset();
    reading_ = read;
    for (size_t i = 0; read && i < kPagesAtOnce; ++i) AskForPage();
    const int64_t began = NowNs(), end = began + static_cast<int64_t>(seconds * 1e9);
    for (int64_t due = began; due < end; due += kColdPingEveryNs) {
      while (NowNs() < due) fleet_.poller().Poll(due);
      fleet_.at(0).Request("session.ping", no_args_, kPing, due);
      ++outstanding_;
      fleet_.poller().FlushNow();
    }
    reading_ = false;
    fleet_.RunUntil(NowNs() + 60'000'000'000, [&] { return outstanding_ == 0; });
    return pings_;
  }
  uint64_t pages = 0, wrong = 0;

 private:
  void AskForPage() {
    ++outstanding_;
    // Far from the previous one, and outside of its block.
    next_ = (next_ + threads_.size() / 2 + 1) % threads_.size();
    fleet_.at(1).Request("message.list", Args({{"threadId", threads_[next_].ToText()}, {"limit", kColdPage}}),
                         kPageOf, NowNs());
  }
  void OnReply(LoadSession&, uint64_t tag, int64_t due_ns, const FrameView& view) override {
    --outstanding_;
    wrong += view.ok ? 0 : 1;
    if (tag == kPing) return pings_.Record(NowNs() - due_ns);
    ++pages;
    if (reading_) AskForPage();
  }
  Fleet& fleet_;
  const std::vector<protocol::ThreadId>& threads_;
  const std::string no_args_ = Args({});
  Histogram pings_;
  size_t next_ = 0, outstanding_ = 0;
  bool reading_ = false;
};

}  // namespace

void RunCold(const Context& context) {
  const Dataset store(context.scratch, context.keep, StoreOf(context, 1));
  std::vector<double> with, without, ratios;
  Histogram all_with, all_without;
  uint64_t pages = 0, wrong = 0;
  int64_t from_disk = 0;
  for (int round = 0; round < context.rounds; ++round) {
    ServerProcess server(context.parleyd, store.dir(), {"--block-cache-bytes", std::to_string(8 << 20)});
    AwaitProjections(server.address(), NowNs() + 60'000'000'000);
    const Chiller chiller(store.dir());
    Target target;
    target.address = server.address();
    target.deliver = "open";
    Poller poller;
    Fleet fleet(poller, target);
    fleet.Connect({kPinger, kEverywhere});
    PingsAndPages load(fleet, store.threads());
    load.Run(0.5, false);  // warm
    const Histogram alone = load.Run(context.seconds, false);
    const int64_t read_before = BytesFromDisk(server.pid());
    const Histogram beside = load.Run(context.seconds, true);
    from_disk += BytesFromDisk(server.pid()) - read_before;
    without.push_back(P99Ms(alone));
    with.push_back(P99Ms(beside));
    ratios.push_back(with.back() / without.back());
    all_without.Add(alone);
    all_with.Add(beside);
    pages += load.pages;
    wrong += load.wrong;
  }
  context.report->AddCurve("session.ping, nobody reads", all_without);
  context.report->AddCurve("session.ping beside a reader of a cold store", all_with);
  std::string objection;
  if (wrong > 0) objection = std::to_string(wrong) + " requests were refused";
  if (from_disk < static_cast<int64_t>(pages) * kBlock) objection = "the store was not cold";
  char note[160];
  std::snprintf(note, sizeof note, "%zu messages, %.0f pages/s, %.0f KiB a page from the disk",
                context.messages, static_cast<double>(pages) / context.seconds / context.rounds,
                static_cast<double>(from_disk) / 1024 / static_cast<double>(std::max<uint64_t>(pages, 1)));
  context.report->Add({"P20", "session.ping p99 beside a session that reads a cold store, ms", Median(with),
                       "without it, ms", Median(without), Median(ratios), GoalOf("P20"), note, objection});
}

}  // namespace parley::bench
