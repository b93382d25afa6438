#include "bench/load/dataset.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "bench/load/local_node.h"
#include "bench/load/store_limits.h"
#include "bench/measure/cpu.h"
#include "storage/rocksdb_table.h"

namespace parley::bench {
namespace {

constexpr size_t kQueued = 8'000;    // commands decided and committed together, in a few groups
constexpr size_t kCatchUp = 40'000;  // messages after which the projections follow
constexpr int kShape = 2;            // the version of the filling; a new one invalidates kept stores

[[noreturn]] void Give(const std::string& what, const std::string& why) {
  std::fprintf(stderr, "parley-bench: %s: %s\n", what.c_str(), why.c_str());
  std::exit(1);
}

// Random letters and spaces: real text compresses better, so the figures for space are conservative.
std::string RandomText(std::minstd_rand& random, size_t size) {
  std::string text(size, ' ');
  for (char& c : text) {
    const auto draw = static_cast<char>(random() % 27);
    if (draw < 26) c = static_cast<char>('a' + draw);
  }
  return text;
}

class Filler {
 public:
  Filler(storage::Table& table, const DatasetPlan& plan) : node_(table), plan_(plan) {}

  std::vector<protocol::ThreadId> Fill() {
    const size_t all = plan_.threads + plan_.more_threads;
    for (size_t thread = 0; thread < all; ++thread) {
      threads_.push_back(node_.Submit(MembersOf(thread)));
      Bound("threads", thread, all);
    }
    node_.Step();
    SendTo(0, plan_.threads, plan_.messages, Order::kInTurn);
    SendTo(plan_.threads, plan_.more_threads, plan_.more_messages, Order::kOneByOne);
    node_.Finish();
    std::vector<protocol::ThreadId> ids;
    for (size_t i = 0; i < plan_.threads; ++i) ids.push_back(*threads_[i]);
    return ids;
  }

 private:
  static std::string UserOf(size_t thread, size_t member) {
    return "u" + std::to_string(thread) + "_" + std::to_string(member);
  }
  bool HasEverywhere(size_t thread) const { return thread < plan_.threads && !plan_.everywhere.empty(); }
  std::vector<std::string> MembersOf(size_t thread) const {
    std::vector<std::string> members;
    for (size_t i = 0; i < plan_.members; ++i) members.push_back(UserOf(thread, i));
    if (HasEverywhere(thread)) members.back() = plan_.everywhere;
    return members;
  }
  // Threads get their messages in turn, or one thread all of its own at once: with more threads than the
  // executor caches, taking turns would load a thread for every single message.
  enum class Order : uint8_t { kInTurn, kOneByOne };
  void SendTo(size_t first, size_t count, size_t messages, Order order) {
    if (count > 0 && messages > 0) node_.Step();
    for (size_t i = 0; count > 0 && i < messages; ++i) {
      const bool in_turn = order == Order::kInTurn;
      const size_t thread = first + (in_turn ? i % count : i * count / messages);
      const size_t authors = plan_.members - (HasEverywhere(thread) ? 1 : 0);
      node_.Send(*threads_[thread], UserOf(thread, (in_turn ? i / count : i) % authors), std::to_string(i),
                 RandomText(random_, plan_.body_bytes));
      Bound("messages", i, messages);
    }
  }
  // Keeps the queue and the projections' lag small.
  void Bound(const char* what, size_t done, size_t all) {
    if (node_.queued() >= kQueued) node_.Step();
    if (done % kCatchUp == kCatchUp - 1) {
      node_.Step();
      node_.CatchUp();
    }
    if (NowNs() - logged_ns_ < 5'000'000'000) return;
    logged_ns_ = NowNs();
    std::fprintf(stderr, "  filling a store: %zu of %zu %s, %.0f s\n", done, all, what,
                 static_cast<double>(logged_ns_ - began_ns_) / 1e9);
  }

  LocalNode node_;
  const DatasetPlan& plan_;
  std::vector<std::shared_ptr<const protocol::ThreadId>> threads_;
  std::minstd_rand random_{1};
  const int64_t began_ns_ = NowNs();
  int64_t logged_ns_ = NowNs();
};

// A name of all parameters that decide the store's content.
std::string NameOf(const DatasetPlan& plan) {
  return "v" + std::to_string(kShape) + "-" + std::to_string(plan.threads) + "x" +
         std::to_string(plan.members) + "-" + std::to_string(plan.messages) + "x" +
         std::to_string(plan.body_bytes) + "-" + std::to_string(plan.more_threads) + "-" +
         std::to_string(plan.more_messages) + (plan.everywhere.empty() ? "" : "-" + plan.everywhere) +
         (plan.compacted ? "-compacted" : "");
}

std::vector<protocol::ThreadId> FillAsWanted(const std::string& dir, const DatasetPlan& plan) {
  auto threads = FillStore(dir, plan);
  // Otherwise the first measurement would share the disk and a core with compactions.
  if (plan.compacted) CompactStore(dir);
  return threads;
}

// The list of threads is written last, to mark the store as complete.
void WriteThreads(const std::filesystem::path& path, const std::vector<protocol::ThreadId>& threads) {
  std::ofstream file(path);
  for (const protocol::ThreadId& thread : threads) file << thread.ToText() << "\n";
  if (!file.flush()) Give(path, "cannot be written");
}

std::vector<protocol::ThreadId> ReadThreads(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<protocol::ThreadId> threads;
  for (std::string line; std::getline(file, line);) {
    const auto thread = protocol::ThreadId::FromText(line);
    if (!thread) Give(path, "holds something else than threads; remove the directory");
    threads.push_back(*thread);
  }
  return threads;
}

}  // namespace

std::vector<protocol::ThreadId> FillStore(const std::string& dir, const DatasetPlan& plan) {
  storage::RocksdbSettings settings;
  settings.dir = dir;
  auto opened = storage::OpenRocksdb(settings);
  if (const auto* error = std::get_if<storage::OpenError>(&opened)) Give(dir, error->message);
  return Filler(*std::get<std::unique_ptr<storage::Table>>(opened), plan).Fill();
}

void CloneStore(const std::string& from, const std::string& to) {
  namespace fs = std::filesystem;
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    const fs::path target = to / fs::relative(entry.path(), from);
    std::error_code fault;
    if (entry.is_directory()) {
      fs::create_directories(target, fault);
    } else {
      if (entry.path().extension() == ".sst") fs::create_hard_link(entry.path(), target, fault);
      if (entry.path().extension() != ".sst" || fault) fs::copy_file(entry.path(), target, fault);
    }
    if (fault) Give(target, fault.message());
  }
}

Dataset::Dataset(const std::string& scratch, const std::string& keep, const DatasetPlan& plan)
    : dir_(scratch) {
  namespace fs = std::filesystem;
  if (keep.empty()) {
    threads_ = FillAsWanted(dir(), plan);
    return;
  }
  const fs::path kept = fs::path(keep) / NameOf(plan), list = kept / "threads", store = kept / "store";
  if (!fs::exists(list)) {
    fs::remove_all(kept);  // left by an interrupted filling
    fs::create_directories(store);
    WriteThreads(kept / "threads.part", FillAsWanted(store, plan));
    fs::rename(kept / "threads.part", list);
  }
  threads_ = ReadThreads(list);
  CloneStore(store, dir());
}

}  // namespace parley::bench
