// P8 (pages of messages), P9 (pages of the inbox) and P14 (the cost of the store's growth).
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "bench/load/dataset.h"
#include "bench/load/rooms.h"
#include "bench/process/server_process.h"
#include "bench/workloads/stores.h"
#include "bench/workloads/workload.h"
#include "fanout/keys.h"
#include "storage/rocksdb_table.h"
#include "storage/usable_memory.h"
#include "threads/model/keys.h"

namespace parley::bench {
namespace {

constexpr size_t kReaders = 32;  // connections, one page outstanding on each
constexpr size_t kMessages = 50, kEntries = 25;

// Scans in this process for some time; CPU of this thread for one, in microseconds.
struct ScanCosts {
  double messages_us = 0, inbox_us = 0;
};
template <class Once>
double CpuPer(double seconds, size_t warm_up, const Once& once) {
  for (size_t i = 0; i < warm_up; ++i) once();
  const int64_t end = NowNs() + static_cast<int64_t>(seconds * 1e9), cpu = OwnThreadCpuNs();
  size_t times = 0;
  for (; NowNs() < end; ++times) once();
  return static_cast<double>(OwnThreadCpuNs() - cpu) / 1e3 / static_cast<double>(times);
}
ScanCosts ScanInProcess(const Context& context, const Dataset& store) {
  storage::RocksdbSettings settings;
  settings.dir = store.dir();
  settings.block_cache_bytes = storage::UsualBlockCache(storage::UsableMemory());  // the server's default
  auto opened = storage::OpenRocksdb(settings);
  if (std::holds_alternative<storage::OpenError>(opened)) {
    std::fprintf(stderr, "parley-bench: %s\n", std::get<storage::OpenError>(opened).message.c_str());
    std::exit(1);
  }
  const auto& table = std::get<std::unique_ptr<storage::Table>>(opened);
  const protocol::TenantId tenant{"demo"};
  size_t bytes = 0, next = 0;
  const auto count = [&](std::string_view, storage::RowView row) {
    bytes += row.payload.size();
    return true;
  };
  const auto entries = storage::SortRange::Prefix(
      storage::KeyWriter().Tag(static_cast<uint8_t>(fanout::InboxRowKind::kEntry)).Sort());
  ScanCosts costs;
  costs.messages_us = CpuPer(context.seconds / 3, store.threads().size(), [&] {
    const auto thread = threads::ThreadPartition(tenant, store.threads()[next++ % store.threads().size()]);
    (void)table->Scan(thread, threads::RangeOf(storage::ThreadTag::kMessage), storage::Direction::kReverse,
                      kMessages, count);
  });
  // Like the server: reads the cells, then one row more than the page, which shows whether there is a next
  // page.
  costs.inbox_us = CpuPer(context.seconds / 3, 200, [&] {
    const auto inbox = fanout::InboxPartition(tenant, protocol::UserId{kEverywhere});
    std::optional<storage::Row> cells;
    (void)table->Get(inbox, fanout::InboxCountsKey(), &cells);
    (void)table->Scan(inbox, entries, storage::Direction::kForward, kEntries + 1, count);
  });
  if (bytes == 0) {
    std::fprintf(stderr, "parley-bench: the scans found nothing\n");
    std::exit(1);
  }
  return costs;
}

// Requests over sockets.
class PageLoad final : public LoadSession::Listener {
 public:
  PageLoad(Fleet& fleet, std::string op, std::function<std::string()> args, std::string list, size_t expected)
      : fleet_(fleet),
        op_(std::move(op)),
        args_(std::move(args)),
        list_(std::move(list)),
        expected_(expected) {
    fleet.set_listener(this);
    for (size_t i = 0; i < fleet.size(); ++i) Ask(fleet.at(i));
  }
  ~PageLoad() override { fleet_.set_listener(nullptr); }
  void Finish() {
    asking_ = false;
    fleet_.RunUntil(NowNs() + 10'000'000'000, [&] { return outstanding_ == 0; });
  }
  uint64_t answered = 0, wrong = 0;

 private:
  void Ask(LoadSession& session) {
    ++outstanding_;
    session.Request(op_, args_(), 0, NowNs());
  }
  void OnReply(LoadSession& session, uint64_t, int64_t, const FrameView& view) override {
    --outstanding_;
    ++answered;
    const auto list = FindValue(session.encoding(), view.body, list_);
    wrong += !view.ok || !list || CountItems(session.encoding(), *list) != expected_ ? 1 : 0;
    if (asking_) Ask(session);
  }
  Fleet& fleet_;
  const std::string op_;
  const std::function<std::string()> args_;
  const std::string list_;
  const size_t expected_;
  size_t outstanding_ = 0;
  bool asking_ = true;
};

struct PageCosts {
  double messages_us = 0, inbox_us = 0;  // server CPU for one request
  uint64_t wrong = 0;
  double acks_per_second = 0;
};
// `warm_up` pages first: every thread once, so that the measured pages are in the cache.
double MeasurePages(const Context& context, const ServerProcess& server, Fleet& fleet, PageLoad& load,
                    size_t warm_up, uint64_t* wrong) {
  Poller& poller = fleet.poller();
  fleet.RunUntil(NowNs() + 60'000'000'000, [&] { return load.answered >= warm_up; });
  const auto run = [&](double seconds) {
    const int64_t end = NowNs() + static_cast<int64_t>(seconds * 1e9);
    while (NowNs() < end) poller.Poll(end);
  };
  const uint64_t before = load.answered;
  const int64_t cpu = ReadCpu(server.pid()).on_cpu_ns;
  run(context.seconds / 2);
  const double us = static_cast<double>(ReadCpu(server.pid()).on_cpu_ns - cpu) / 1e3 /
                    static_cast<double>(load.answered - before);
  load.Finish();
  *wrong += load.wrong;
  return us;
}

PageCosts ServePages(const Context& context, const Dataset& store) {
  ServerProcess server(context.parleyd, store.dir());
  AwaitProjections(server.address(), NowNs() + 60'000'000'000);
  Target target;
  target.address = server.address();
  target.deliver = "open";
  Poller poller;
  Fleet fleet(poller, target);
  fleet.Connect(std::vector<std::string>(kReaders, kEverywhere));
  size_t next = 0;
  PageCosts costs;
  {
    PageLoad load(
        fleet, "message.list",
        [&] {
          return Args({{"threadId", store.threads()[next++ % store.threads().size()].ToText()},
                       {"limit", int64_t{kMessages}}});
        },
        "messages", kMessages);
    costs.messages_us = MeasurePages(context, server, fleet, load, store.threads().size(), &costs.wrong);
  }
  {
    PageLoad load(
        fleet, "inbox.list",
        [] {
          return Args({{"limit", int64_t{kEntries}}});
        },
        "entries", kEntries);
    costs.inbox_us = MeasurePages(context, server, fleet, load, 2000, &costs.wrong);
  }
  RoomsPlan plan;
  plan.rooms = 26;
  plan.prefix = "r";
  plan.seconds = context.seconds;
  target.deliver = "all";
  costs.acks_per_second = Rooms(poller, target, plan, server.pid()).Run().acks_per_second();
  return costs;
}

// The fraction of the rates that is left with a hundred times the data.
struct Growth {
  std::vector<double> acks, messages, inbox;
  double Worst() const { return std::min({Median(acks), Median(messages), Median(inbox)}); }
  std::string Text() const {
    char text[96];
    std::snprintf(text, sizeof text, "sends %.2f, messages %.2f, inbox %.2f", Median(acks), Median(messages),
                  Median(inbox));
    return text;
  }
};

}  // namespace

void RunReads(const Context& context) {
  const Dataset small(context.scratch, context.keep, StoreOf(context, 100));
  const Dataset large(context.scratch, context.keep, StoreOf(context, 1));
  std::vector<double> messages, inbox, served_messages, served_inbox, scanned_messages, scanned_inbox;
  Growth growth;
  uint64_t wrong = 0;
  for (int round = 0; round < context.rounds; ++round) {
    const ScanCosts scanned = ScanInProcess(context, large);
    const PageCosts served = ServePages(context, large), before = ServePages(context, small);
    scanned_messages.push_back(1e6 / scanned.messages_us);
    scanned_inbox.push_back(1e6 / scanned.inbox_us);
    served_messages.push_back(1e6 / served.messages_us);
    served_inbox.push_back(1e6 / served.inbox_us);
    messages.push_back(scanned.messages_us / served.messages_us);
    inbox.push_back(scanned.inbox_us / served.inbox_us);
    growth.acks.push_back(served.acks_per_second / before.acks_per_second);
    growth.messages.push_back(before.messages_us / served.messages_us);
    growth.inbox.push_back(before.inbox_us / served.inbox_us);
    wrong += served.wrong + before.wrong;
  }
  const std::string objection = wrong > 0 ? std::to_string(wrong) + " pages were not whole" : "";
  const std::string size = std::to_string(context.messages) + " messages, " +
                           std::to_string(context.all_threads) + " threads, " +
                           std::to_string(large.threads().size()) + " of the user";
  context.report->Add({"P8", "message.list newest 50, requests/s per core of server CPU",
                       Median(served_messages), "the same scan in process/s", Median(scanned_messages),
                       Median(messages), GoalOf("P8"), size, objection});
  context.report->Add({"P9", "inbox.list page of 25, requests/s per core of server CPU", Median(served_inbox),
                       "the same reads in process/s", Median(scanned_inbox), Median(inbox), GoalOf("P9"),
                       size, objection});
  context.report->Add({"P14", "P1, P8 and P9 on the large store, the worst of them", growth.Worst(),
                       "on a hundredth of it", 1, growth.Worst(), GoalOf("P14"), size + ": " + growth.Text(),
                       objection});
}

}  // namespace parley::bench
