// P16, P17, P18: the cost of messages in many small rooms, in larger ones, and on a quiet server: the
// server's processor time for its output, against a broadcast server that stores nothing, under the same load
// alternately.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "bench/baselines/room_server.h"
#include "bench/load/rooms.h"
#include "bench/process/server_process.h"
#include "bench/workloads/workload.h"

namespace parley::bench {
namespace {

constexpr int kRoundsAtLeast = 5;
constexpr size_t kDigits = 4;  // in a room's number

struct Cost {
  std::string id, what, curve;
  RoomsPlan plan;
  bool per_delivery = false;  // otherwise per ack, or, open loop, per second
  Goal goal;
};

double CountOf(const Cost& cost, const RoomsResult& result) {
  if (cost.plan.rate > 0) return result.seconds * 1e3;  // ms of CPU a second: us a millisecond
  return static_cast<double>(std::max<uint64_t>(1, cost.per_delivery ? result.delivered : result.acked));
}

// The baseline sends the recorded frames of Parley, so it sends the same bytes.
RoomFrames FramesOf(const RoomsResult& result) {
  auto ack = FrameTemplate::Of(result.ack_frame, {});
  auto event = FrameTemplate::Of(result.event_frame, {result.event_thread, result.event_client_id});
  if (!ack || !event) {
    std::fprintf(stderr, "parley-bench: the server's frames have no seq, thread or clientId\n");
    std::exit(1);
  }
  return {std::move(*ack), std::move(*event)};
}

// The load on the baseline, whose rooms' names are as long as thread ids.
class Baseline {
 public:
  Baseline(Poller& poller, const Cost& cost, const RoomsResult& recorded) : server_(FramesOf(recorded)) {
    Target target;
    target.address = server_.address();
    const auto thread = [like = recorded.event_thread](const std::string& room) {
      return like.substr(0, like.size() - kDigits) + std::string(kDigits - room.size(), '0') + room;
    };
    const std::string prefix = cost.plan.prefix;
    target.token = [=](const std::string& user) {
      return std::optional(thread(user.substr(prefix.size(), user.find('_') - prefix.size())));
    };
    RoomsPlan plan = cost.plan;
    plan.make = [=](size_t room) { return MadeRoom{thread(std::to_string(room)), 0}; };
    rooms_ = std::make_unique<Rooms>(poller, target, plan, server_.pid());
  }
  RoomsResult Run() { return rooms_->Run(); }

 private:
  const RoomServer server_;
  std::unique_ptr<Rooms> rooms_;
};

struct Sum {
  std::map<std::string, double> us;
  double count = 0;
  void Add(const CpuTimes& times, double n) {
    for (const auto& [thread, ns] : times.by_thread) us[thread] += static_cast<double>(ns) / 1e3;
    count += n;
  }
  std::string Text() const {
    std::string out;
    for (const auto& [thread, all] : us) {
      char text[64];
      std::snprintf(text, sizeof text, "%s%s %.2f", out.empty() ? "" : ", ",
                    thread == "parleyd" ? "loop" : thread.c_str(), all / count);
      if (all / count >= 0.005) out += text;
    }
    return out;
  }
};

void Compare(const Context& context, Cost cost) {
  const ScratchDir dir(context.scratch);
  ServerProcess server(context.parleyd, dir.path());
  Target target;
  target.address = server.address();
  target.compact = KnowsCompact(target);
  Poller poller;
  Rooms rooms(poller, target, cost.plan, server.pid());
  std::unique_ptr<Baseline> baseline;
  std::vector<double> ratios, costs, bases;
  std::string objection;
  Sum threads;
  Histogram acks;
  double bytes = 0;
  const auto us = [&](const RoomsResult& result) {
    if (objection.empty()) objection = result.Objection();
    return static_cast<double>(result.server.on_cpu_ns) / 1e3 / CountOf(cost, result);
  };
  for (int round = 0; round < std::max(kRoundsAtLeast, context.rounds); ++round) {
    const RoomsResult ours = rooms.Run();
    if (!baseline) baseline = std::make_unique<Baseline>(poller, cost, ours);
    const RoomsResult base = baseline->Run();
    costs.push_back(us(ours));
    bases.push_back(us(base));
    ratios.push_back(costs.back() / bases.back());
    threads.Add(ours.server, CountOf(cost, ours));
    acks.Add(ours.ack);
    bytes = ours.event_bytes();
  }
  char note[96];
  std::snprintf(note, sizeof note, "; %zu rooms of %zu, an event has %.0f bytes%s", cost.plan.rooms,
                cost.plan.members, bytes, target.compact ? ", compact" : "");
  context.report->AddCurve(cost.curve, acks);
  context.report->Add({cost.id, cost.what, Median(costs), "epoll, one send() each, nothing stored",
                       Median(bases), Median(ratios), cost.goal, threads.Text() + note, objection});
}

RoomsPlan PlanOf(const Context& context, size_t rooms, size_t members) {
  RoomsPlan plan;
  plan.rooms = rooms;
  plan.members = plan.online = members;
  plan.body_bytes = 128;
  plan.warmup_seconds = 0.4;
  plan.seconds = context.seconds * 2 / 3;
  return plan;
}

}  // namespace

void RunSmallRooms(const Context& context) {
  RoomsPlan plan = PlanOf(context, 64, 10);
  plan.senders = plan.window = 1;
  Compare(context, {"P16", "64 senders, one outstanding each: server CPU per ack with its ten deliveries, us",
                    "64 rooms, one outstanding each, send to ack", plan, false, GoalOf("P16")});
}

void RunLargerRooms(const Context& context) {
  const Goal goal = GoalOf("P17");
  RoomsPlan plan = PlanOf(context, 8, 100);
  plan.senders = 1;
  plan.outstanding = 4;  // few, so that little can be sent together
  Compare(context, {"P17", "8 senders, 4 outstanding in all: server CPU per delivery, us",
                    "8 rooms of 100, 4 outstanding, send to ack", plan, true, goal});
  plan.window = 4;
  Compare(context, {"P17", "8 senders, 4 outstanding each: server CPU per delivery, us",
                    "8 rooms of 100, 32 outstanding, send to ack", plan, true, goal});
}

void RunQuiet(const Context& context) {
  RoomsPlan plan = PlanOf(context, 8, 100);
  plan.rate = 50;
  plan.seconds = context.seconds;
  Compare(context, {"P18", "50 sends/s, 5 000 deliveries/s: server CPU, ms a second",
                    "50 sends/s to rooms of 100, send to ack", plan, false, GoalOf("P18")});
}

}  // namespace parley::bench
