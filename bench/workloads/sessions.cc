// P6 (echo), P7 (idle sessions) and P12 (all sessions reconnect at once).
#include <algorithm>

#include "bench/baselines/raw_load.h"
#include "bench/load/rooms.h"
#include "bench/net/http_call.h"
#include "bench/process/server_process.h"
#include "bench/workloads/workload.h"

namespace parley::bench {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr size_t kEchoConnections = 100;
constexpr int64_t kMissed = 20;                     // the changes that a session has missed
constexpr size_t kPingBytes = 30, kPongBytes = 55;  // as frames

std::vector<std::string> Users(const std::string& prefix, size_t count) {
  std::vector<std::string> users;
  for (size_t i = 0; i < count; ++i) users.push_back(prefix + std::to_string(i));
  return users;
}

// Every session sends again after each reply.
class EchoLoad final : public LoadSession::Listener {
 public:
  explicit EchoLoad(Fleet& fleet) : fleet_(fleet), args_(Args({})) { fleet.set_listener(this); }
  void Begin() {
    for (size_t i = 0; i < fleet_.size(); ++i) Ask(fleet_.at(i));
  }
  uint64_t answered = 0;
  Histogram latency;

 private:
  void Ask(LoadSession& session) { session.Request("session.ping", args_, 0, NowNs()); }
  void OnReply(LoadSession& session, uint64_t, int64_t asked_ns, const FrameView&) override {
    ++answered;
    latency.Record(NowNs() - asked_ns);
    Ask(session);
  }
  Fleet& fleet_;
  const std::string args_;
};

void RunFor(Poller& poller, double seconds) {
  const int64_t end = NowNs() + static_cast<int64_t>(seconds * 1e9);
  while (NowNs() < end) poller.Poll(end);
}

double HeapOf(const ServerProcess& server) {
  const auto metrics = HttpGet(server.address(), "/metrics");
  return metrics ? FindMetric(*metrics, "parley_heap_bytes").value_or(0) : 0;
}

// Seconds until every session is live again and, with resume, has caught up.
class ComeBack final : public LoadSession::Listener {
 public:
  explicit ComeBack(Fleet& fleet) : fleet_(fleet) {}
  double Run(const std::function<std::string(LoadSession&)>& resume) {
    fleet_.set_listener(this);
    for (size_t i = 0; i < fleet_.size(); ++i) fleet_.at(i).Close();
    synced_ = 0;
    const int64_t began = NowNs();
    const bool awaits = !resume(fleet_.at(0)).empty();
    if (!fleet_.ConnectAll(fleet_.size(), began + 60 * kSecondNs, resume)) return -1;
    if (awaits && !fleet_.RunUntil(began + 60 * kSecondNs, [&] { return synced_ == fleet_.size(); }))
      return -1;
    return static_cast<double>(NowNs() - began) / 1e9;
  }

 private:
  void OnEvent(LoadSession&, const FrameView& view) override {
    synced_ += view.event == "thread.synced" ? 1 : 0;
  }
  Fleet& fleet_;
  size_t synced_ = 0;
};

}  // namespace

void RunEcho(const Context& context) {
  std::vector<double> ratios, rates, bases;
  Histogram latency;
  double idle = 0;
  for (int round = 0; round < context.rounds; ++round) {
    bases.push_back(MeasureRawEcho(kEchoConnections, kPingBytes, kPongBytes, context.seconds / 2).per_second);
    const ScratchDir dir(context.scratch);
    ServerProcess server(context.parleyd, dir.path());
    Target target;
    target.address = server.address();
    Poller poller;
    Fleet fleet(poller, target);
    fleet.Connect(Users("e", kEchoConnections));
    EchoLoad load(fleet);
    load.Begin();
    RunFor(poller, context.seconds / 5);
    const uint64_t before = load.answered;
    const int64_t waited = poller.waited_ns(), began = NowNs();
    RunFor(poller, context.seconds);
    const auto took = static_cast<double>(NowNs() - began);
    rates.push_back(static_cast<double>(load.answered - before) * 1e9 / took);
    ratios.push_back(rates.back() / bases.back());
    idle = static_cast<double>(poller.waited_ns() - waited) / took;
    latency = load.latency;
    fleet.set_listener(nullptr);
  }
  char note[48];
  std::snprintf(note, sizeof note, "generator idle %.0f %%", idle * 100);
  context.report->AddCurve("session.ping, 100 connections", latency);
  context.report->Add({"P6", "session.ping over 100 connections, replies/s", Median(rates),
                       "raw epoll echo/s", Median(bases), Median(ratios), GoalOf("P6"), note, ""});
}

void RunIdle(const Context& context) {
  const ScratchDir dir(context.scratch);
  ServerProcess server(context.parleyd, dir.path());
  Target target;
  target.address = server.address();
  Poller poller;
  Fleet warm(poller, target), fleet(poller, target);
  warm.Connect(Users("w", 100));  // allocates everything that is made once
  fleet.Prepare(Users("i", context.sessions));
  const double before = HeapOf(server);
  const bool in = fleet.ConnectAll(256, NowNs() + 120 * kSecondNs);
  const double each = (HeapOf(server) - before) / static_cast<double>(context.sessions) / 1024;
  context.report->Add({"P7", "heap in use of an idle session, KiB", each, "one KiB", 1, each, GoalOf("P7"),
                       std::to_string(context.sessions) + " sessions",
                       in && before > 0 ? "" : "not all sessions got in"});
}

void RunResume(const Context& context) {
  const ScratchDir dir(context.scratch);
  ServerProcess server(context.parleyd, dir.path());
  Target target;
  target.address = server.address();
  // Rooms of 50: every member missed the last messages of their thread.
  constexpr size_t kRoom = 50;
  RoomsPlan plan;
  plan.rooms = context.sessions / kRoom;
  plan.members = plan.online = kRoom;
  plan.outstanding = 100;
  plan.warmup_seconds = 0;
  plan.seconds = 1;
  Poller poller;
  Rooms rooms(poller, target, plan, server.pid());
  const RoomsResult filled = rooms.Run();
  Fleet& fleet = rooms.fleet();
  ComeBack back(fleet);
  std::vector<double> ratios, plain, resumed;
  for (int round = 0; round < context.rounds; ++round) {
    plain.push_back(back.Run([](LoadSession&) { return std::string(); }));
    resumed.push_back(back.Run([&](LoadSession& session) {
      const size_t room = rooms.room_of(session);
      const std::string held =
          Args({{rooms.thread(room), std::max<int64_t>(1, rooms.last_seq(room) - kMissed)}});
      return Args({{"epoch", fleet.epoch()}, {"threads", Arg::Encoded(held)}});
    }));
    ratios.push_back(resumed.back() / plain.back());
  }
  const bool in = *std::min_element(plain.begin(), plain.end()) > 0 &&
                  *std::min_element(resumed.begin(), resumed.end()) > 0;
  context.report->Add({"P12",
                       std::to_string(fleet.size()) + " sessions resume at once, until all caught up, s",
                       Median(resumed), "the same without resume, s", Median(plain), Median(ratios),
                       GoalOf("P12"), "each missed up to " + std::to_string(kMissed) + " messages",
                       !in ? "not all sessions came back within a minute" : filled.Objection()});
}

}  // namespace parley::bench
