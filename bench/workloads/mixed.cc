// MIX: the cost of readers for senders. Sends are made by the clock, and a latency counts from the due time
// of its send, so a stall shows in every send that it delayed. Alternating with that load alone, three other
// clients always have a request outstanding: one pages through histories, one through their inbox, and one
// reconnects again and again.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "bench/load/dataset.h"
#include "bench/load/rooms.h"
#include "bench/measure/cpu.h"
#include "bench/process/server_process.h"
#include "bench/workloads/stores.h"
#include "bench/workloads/workload.h"

namespace parley::bench {
namespace {

constexpr int kMixedRoundsAtLeast = 5;
constexpr int64_t kMixedPage = 50, kMixedEntries = 25;
// Each connection leaves a port in TIME_WAIT for a minute; the system has some 28 000 of them.
constexpr int64_t kReconnectEveryNs = 5'000'000;
constexpr uint64_t kHistory = 1, kInbox = 2;

class Others final : private LoadSession::Listener {
 public:
  Others(Poller& poller, const Target& target, const std::vector<protocol::ThreadId>& threads)
      : fleet_(poller, target), threads_(threads) {
    if (!fleet_.Connect({kEverywhere, kEverywhere, kEverywhere})) std::exit(1);
    fleet_.set_listener(this);
  }
  void Begin() {
    active_ = true;
    AskForHistory();
    AskForInbox();
  }
  // Called between the load's waits: a connected session disconnects and reconnects.
  void Tick() {
    LoadSession& comer = fleet_.at(2);
    if (!active_ || !comer.live() || NowNs() < next_connect_ns_) return;
    next_connect_ns_ = NowNs() + kReconnectEveryNs;
    ++connects;
    comer.Close();
    comer.Connect();
  }
  void End() {
    active_ = false;
    const bool done = fleet_.RunUntil(NowNs() + 60'000'000'000, [&] {
      return fleet_.at(0).unanswered() + fleet_.at(1).unanswered() == 0 && fleet_.at(2).live();
    });
    wrong += done ? 0 : 1;
  }
  uint64_t history_pages = 0, inbox_pages = 0, connects = 0, wrong = 0;

 private:
  void AskForHistory() {
    const std::string thread = threads_[thread_ % threads_.size()].ToText();
    fleet_.at(0).Request(
        "message.list",
        history_cursor_.empty()
            ? Args({{"threadId", thread}, {"limit", kMixedPage}})
            : Args({{"threadId", thread}, {"limit", kMixedPage}, {"before", history_cursor_}}),
        kHistory, NowNs());
  }
  void AskForInbox() {
    fleet_.at(1).Request("inbox.list",
                         inbox_cursor_.empty() ? Args({{"limit", kMixedEntries}})
                                               : Args({{"limit", kMixedEntries}, {"cursor", inbox_cursor_}}),
                         kInbox, NowNs());
  }
  void OnReply(LoadSession& session, uint64_t tag, int64_t, const FrameView& view) override {
    if (!view.ok) {
      ++wrong;
      active_ = false;
      return;
    }
    const auto next = FindText(session.encoding(), view.body, "cursor");
    // An encoded null is one byte.
    const std::string cursor = next && next->size() > 1 ? std::string(*next) : std::string();
    if (tag == kHistory) {
      ++history_pages;
      history_cursor_ = cursor;
      thread_ += cursor.empty() ? 1 : 0;
      if (active_) AskForHistory();
    } else {
      ++inbox_pages;
      inbox_cursor_ = cursor;
      if (active_) AskForInbox();
    }
  }
  void OnLost(LoadSession&, uint16_t) override {
    ++wrong;
    active_ = false;
  }

  Fleet fleet_;
  const std::vector<protocol::ThreadId>& threads_;
  bool active_ = false;
  size_t thread_ = 0;
  std::string history_cursor_, inbox_cursor_;
  int64_t next_connect_ns_ = 0;
};

// The halves of the rounds, and the objections to any of them.
struct Halves {
  std::vector<double> with, without, ratios;
  Histogram all_with, all_without;
  std::string objection;
  double seconds = 0;  // with the other clients
  void Add(const RoomsResult& alone, const RoomsResult& beside) {
    without.push_back(P99Ms(alone.ack));
    with.push_back(P99Ms(beside.ack));
    ratios.push_back(with.back() / without.back());
    all_without.Add(alone.ack);
    all_with.Add(beside.ack);
    for (const RoomsResult* result : {&alone, &beside}) {
      if (objection.empty()) objection = result->Objection();
    }
  }
};

std::string NoteOf(const Context& context, const Others& others, double seconds) {
  char note[200];
  const auto rate = [&](uint64_t count) { return static_cast<double>(count) / seconds; };
  std::snprintf(note, sizeof note,
                "%.0f sends/s in %zu rooms, open loop; beside them %.0f pages of history, %.0f of the inbox, "
                "%.0f connections a second; a store of %zu messages",
                context.mixed_rate, context.mixed_rooms, rate(others.history_pages), rate(others.inbox_pages),
                rate(others.connects), context.messages);
  return note;
}

}  // namespace

void RunMixed(const Context& context) {
  const Dataset store(context.scratch, context.keep, StoreOf(context, 1));
  ServerProcess server(context.parleyd, store.dir());
  AwaitProjections(server.address(), NowNs() + 60'000'000'000);
  Target target;
  target.address = server.address();
  Poller poller;
  Others others(poller, target, store.threads());
  RoomsPlan plan;
  plan.rooms = context.mixed_rooms;
  plan.rate = context.mixed_rate;
  plan.warmup_seconds = 0.5;
  plan.seconds = context.seconds;
  plan.prefix = "m";
  Rooms rooms(poller, target, plan, server.pid());
  Halves halves;
  const auto beside = [&] {
    rooms.on_tick = [&] { others.Tick(); };
    others.Begin();
    const int64_t began = NowNs();
    RoomsResult result = rooms.Run();
    halves.seconds += static_cast<double>(NowNs() - began) / 1e9;
    rooms.on_tick = nullptr;
    others.End();
    return result;
  };
  for (int round = 0; round < std::max(kMixedRoundsAtLeast, context.rounds); ++round) {
    // The order alternates between rounds, so that the growth of the store favours neither.
    if (round % 2 == 0) {
      const RoomsResult alone = rooms.Run();
      halves.Add(alone, beside());
    } else {
      const RoomsResult with = beside();
      halves.Add(rooms.Run(), with);
    }
  }
  if (others.wrong > 0) halves.objection = "the others were refused or closed";
  if (std::min({others.history_pages, others.inbox_pages, others.connects}) == 0)
    halves.objection = "the others did nothing";
  context.report->AddCurve("send to ack, nobody reads", halves.all_without);
  context.report->AddCurve("send to ack beside readers and a reconnecting client", halves.all_with);
  context.report->Add({"MIX", "ack p99 beside those who read and reconnect, ms", Median(halves.with),
                       "without them, ms", Median(halves.without), Median(halves.ratios), GoalOf("MIX"),
                       NoteOf(context, others, halves.seconds), halves.objection});
}

}  // namespace parley::bench
