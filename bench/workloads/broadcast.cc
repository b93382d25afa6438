// P5: the server's cost of a delivery if one thread has very many members online.
#include "bench/baselines/raw_load.h"
#include "bench/load/rooms.h"
#include "bench/process/server_process.h"
#include "bench/workloads/workload.h"

namespace parley::bench {
namespace {

constexpr size_t kBroadcastBytes = 620;
constexpr size_t kBurst = 16;

// Server CPU per delivery, in microseconds: of the I/O thread, which delivers, and of the whole process.
struct DeliveryCost {
  double loop = 0, all = 0;
  std::string objection;
};
DeliveryCost Measure(const Context& context, size_t members, size_t outstanding) {
  const ScratchDir dir(context.scratch);
  ServerProcess server(context.parleyd, dir.path());
  Target target;
  target.address = server.address();
  RoomsPlan plan;
  plan.rooms = 1;
  plan.members = plan.online = members;
  plan.outstanding = outstanding;
  plan.seconds = context.seconds;
  plan.warmup_seconds = 0.5;
  plan.prefix = "b";
  Poller poller;
  Rooms rooms(poller, target, plan, server.pid());
  const RoomsResult result = rooms.Run();
  const double deliveries = static_cast<double>(result.delivered) * 1e3;
  const auto loop = result.server.by_thread.find("parleyd");
  return {(loop == result.server.by_thread.end() ? 0 : static_cast<double>(loop->second)) / deliveries,
          static_cast<double>(result.server.on_cpu_ns) / deliveries, result.Objection()};
}

void Compare(const Context& context, size_t members, size_t burst, Goal goal) {
  std::vector<double> ratios, costs, bases, all;
  std::string objection;
  for (int round = 0; round < context.rounds; ++round) {
    bases.push_back(MeasureRawBroadcast(members, kBroadcastBytes, burst, context.seconds / 2).cpu_us);
    const DeliveryCost cost = Measure(context, members, burst);
    costs.push_back(cost.loop);
    all.push_back(cost.all);
    ratios.push_back(cost.loop / bases.back());
    if (objection.empty()) objection = cost.objection;
  }
  char note[96];
  std::snprintf(note, sizeof note, "all of the server, its index included: %.2f us", Median(all));
  context.report->Add({"P5", std::to_string(members) + " members online, loop CPU per delivery, us",
                       Median(costs),
                       burst > 1 ? "raw epoll, 16 frames a send()" : "raw epoll, one send() each",
                       Median(bases), Median(ratios), goal, note, objection});
}

}  // namespace

void RunBroadcast(const Context& context) {
  for (const size_t members : {1000, 5000}) {
    Compare(context, members, 1, GoalOf("P5"));
    Compare(context, members, kBurst, GoalOf("P5 coalesced"));
  }
}

}  // namespace parley::bench
