// P10 (freshness of an inbox) and P11 (the cost of a huge thread for others).
#include <cstdio>
#include <cstdlib>

#include "bench/load/rooms.h"
#include "bench/process/server_process.h"
#include "bench/workloads/workload.h"

namespace parley::bench {
namespace {

constexpr size_t kInboxRooms = 26, kInboxMembers = 10;

RoomsPlan OpenLoop(const Context& context, double rate) {
  RoomsPlan plan;
  plan.rooms = kInboxRooms;
  plan.members = plan.online = kInboxMembers;
  plan.rate = rate;
  plan.seconds = context.seconds;
  return plan;
}

// The server's rate in the main load; it must carry half of it easily.
double FullRate(const Context& context) {
  const ScratchDir dir(context.scratch);
  ServerProcess server(context.parleyd, dir.path());
  Target target;
  target.address = server.address();
  RoomsPlan plan = OpenLoop(context, 0);
  Poller poller;
  return Rooms(poller, target, plan, server.pid()).Run().acks_per_second();
}

// A thread with very many members, few of them online, which receives `rate` messages a second from one of
// them.
class HugeThread final : private LoadSession::Listener {
 public:
  HugeThread(Poller& poller, const Target& target, size_t members, size_t online, double rate)
      : fleet_(poller, target), interval_ns_(static_cast<int64_t>(1e9 / rate)) {
    std::vector<std::string> users;
    for (size_t i = 0; i < online; ++i) users.push_back("huge" + std::to_string(i));
    if (!fleet_.Connect(users)) std::exit(1);
    const std::string reply =
        fleet_.Call(fleet_.at(0), "thread.create",
                    Args({{"kind", "project"}, {"buyerUserId", users[0]}, {"sellerUserId", users[1]}}));
    thread_ =
        std::string(*FindText(target.encoding, *FindValue(target.encoding, reply, "thread"), "threadId"));
    fleet_.set_listener(this);
    size_t next = 2;
    fleet_.RunUntil(NowNs() + int64_t{120} * 1'000'000'000, [&] {
      for (; next < members && fleet_.at(0).unanswered() < 100; ++next) {
        fleet_.at(0).Request("participant.add",
                             Args({{"threadId", thread_},
                                   {"userId", "huge" + std::to_string(next)},
                                   {"roleContext", "seller"}}),
                             0, NowNs());
      }
      return next == members && fleet_.at(0).unanswered() == 0;
    });
    if (refused_ > 0) {
      std::fprintf(stderr, "parley-bench: %zu of %zu members were refused\n", refused_, members);
      std::exit(1);
    }
    due_ns_ = NowNs();
  }
  void Rest() { due_ns_ = NowNs(); }  // skips the sends that are due until now
  // Sends the messages that are due.
  void Tick() {
    for (const int64_t now = NowNs(); due_ns_ <= now; due_ns_ += interval_ns_) {
      fleet_.at(0).Request("message.send",
                           Args({{"threadId", thread_},
                                 {"clientId", std::to_string(due_ns_)},
                                 {"type", "text"},
                                 {"body", "hello all"}}),
                           0, due_ns_);
    }
  }
  size_t refused() const { return refused_; }

 private:
  void OnReply(LoadSession&, uint64_t, int64_t, const FrameView& view) override {
    refused_ += view.ok ? 0 : 1;
  }
  Fleet fleet_;
  std::string thread_;
  const int64_t interval_ns_;
  int64_t due_ns_ = 0;
  size_t refused_ = 0;
};

}  // namespace

void RunFreshness(const Context& context) {
  const double rate = FullRate(context) / 2;
  std::vector<double> ratios, fresh, acks;
  Histogram latency;
  std::string objection;
  uint64_t stale = 0;
  for (int round = 0; round < context.rounds; ++round) {
    const ScratchDir dir(context.scratch);
    ServerProcess server(context.parleyd, dir.path());
    Target target;
    target.address = server.address();
    Poller poller;
    Rooms rooms(poller, target, OpenLoop(context, rate), server.pid());
    Histogram visible;
    uint64_t seen = 0;
    // After one acknowledged send in 64, the room's next member requests the top of their inbox.
    struct Asked {
      int64_t acked_ns, seq;
    };
    std::vector<Asked> asked;
    rooms.on_ack = [&](LoadSession& sender, size_t room, int64_t seq, int64_t acked_ns) {
      if (++seen % 64 != 0) return;
      LoadSession& reader = rooms.fleet().at(room * kInboxMembers + (sender.index() + 1) % kInboxMembers);
      reader.Request("inbox.list", Args({{"limit", 1}}), Rooms::kOtherTag + asked.size(), acked_ns);
      asked.push_back({acked_ns, seq});
    };
    rooms.on_other_reply = [&](LoadSession& session, uint64_t tag, int64_t acked_ns, const FrameView& view) {
      visible.Record(NowNs() - acked_ns);
      const auto entries = FindValue(session.encoding(), view.body, "entries");
      // The one entry is the first element: its map begins after the array's head, which is one byte at this
      // size.
      const auto last = entries ? FindInt(session.encoding(), entries->substr(1), "lastSeq") : std::nullopt;
      stale += !view.ok || !last || *last < asked[tag - Rooms::kOtherTag].seq ? 1 : 0;
    };
    const RoomsResult result = rooms.Run();
    fresh.push_back(static_cast<double>(visible.Percentile(99)) / 1e6);
    acks.push_back(static_cast<double>(result.ack.Percentile(99)) / 1e6);
    ratios.push_back(fresh.back() / acks.back());
    latency = visible;
    if (objection.empty()) objection = result.Objection();
  }
  if (stale > 0) objection = std::to_string(stale) + " inboxes did not show the acknowledged message";
  char note[64];
  std::snprintf(note, sizeof note, "open loop, %.0f messages/s", rate);
  context.report->AddCurve("ack to inbox entry, half load", latency);
  context.report->Add({"P10", "ack to inbox entry visible, p99, ms", Median(fresh),
                       "ack p99 at the same load, ms", Median(acks), Median(ratios), GoalOf("P10"), note,
                       objection});
}

void RunHugeThread(const Context& context) {
  const double rate = FullRate(context) / 4;
  std::vector<double> ratios, with, without;
  std::string objection;
  const ScratchDir dir(context.scratch);
  ServerProcess server(context.parleyd, dir.path());
  Target target;
  target.address = server.address();
  Poller poller;
  HugeThread huge(poller, target, 10'000, 100, 20);
  Rooms rooms(poller, target, OpenLoop(context, rate), server.pid());
  for (int round = 0; round < context.rounds; ++round) {
    rooms.on_tick = nullptr;
    const RoomsResult alone = rooms.Run();
    rooms.on_tick = [&] { huge.Tick(); };
    huge.Rest();
    const RoomsResult beside = rooms.Run();
    without.push_back(static_cast<double>(alone.ack.Percentile(99)) / 1e6);
    with.push_back(static_cast<double>(beside.ack.Percentile(99)) / 1e6);
    ratios.push_back(with.back() / without.back());
    for (const RoomsResult* result : {&alone, &beside}) {
      if (objection.empty()) objection = result->Objection();
    }
  }
  char note[64];
  std::snprintf(note, sizeof note, "20 messages/s into it, %.0f/s elsewhere", rate);
  context.report->Add({"P11", "others' ack p99 beside a thread of 10 000 members, ms", Median(with),
                       "without it, ms", Median(without), Median(ratios), GoalOf("P11"), note, objection});
}

}  // namespace parley::bench
