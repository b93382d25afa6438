// P13 (bytes on disk) and P15 (restart).
#include <algorithm>
#include <filesystem>

#include "bench/load/dataset.h"
#include "bench/load/rooms.h"
#include "bench/load/store_limits.h"
#include "bench/net/http_call.h"
#include "bench/process/server_process.h"
#include "bench/workloads/stores.h"
#include "bench/workloads/workload.h"

namespace parley::bench {
namespace {

double BytesIn(const std::string& dir) {
  double bytes = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(dir)) {
    if (file.is_regular_file()) bytes += static_cast<double>(file.file_size());
  }
  return bytes;
}

}  // namespace

void RunDisk(const Context& context) {
  DatasetPlan plan;
  plan.threads = std::max<size_t>(10, context.messages / 300);
  plan.messages = context.messages;
  plan.compacted = true;
  const Dataset store(context.scratch, context.keep, plan);
  const double each = BytesIn(store.dir()) / static_cast<double>(plan.messages);
  context.report->Add({"P13", "bytes on disk per message in rooms of 10, compacted", each,
                       "bytes of its body", static_cast<double>(plan.body_bytes),
                       each / static_cast<double>(plan.body_bytes), GoalOf("P13"),
                       std::to_string(plan.messages) + " messages of random letters", ""});
}

void RunRestart(const Context& context) {
  const Dataset store(context.scratch, context.keep, StoreOf(context, 1));
  std::vector<double> ratios, starts, replays;
  std::string objection;
  for (int round = 0; round < context.rounds; ++round) {
    ServerProcess server(context.parleyd, store.dir());
    Target target;
    target.address = server.address();
    RoomsPlan load;
    load.rooms = 26;
    load.prefix = "k" + std::to_string(round) + "_";
    load.seconds = context.seconds;
    {
      Poller poller;
      const RoomsResult result = Rooms(poller, target, load, server.pid()).Run();
      if (objection.empty()) objection = result.Objection();
    }
    server.Kill();
    // A replay changes the store, so each gets a copy of the killed server's files.
    const ScratchDir copy(context.scratch);
    CloneStore(store.dir(), copy.path());
    replays.push_back(MeasureReplay(copy.path()));
    const int64_t began = NowNs();
    server.Start();
    while (!HttpGet(server.address(), "/readyz")) {
    }
    starts.push_back(static_cast<double>(NowNs() - began) / 1e9);
    ratios.push_back(starts.back() / replays.back());
    server.Stop();
  }
  context.report->Add({"P15", "from start after kill -9 to /readyz, s", Median(starts),
                       "replay of the WAL alone, s", Median(replays), Median(ratios), GoalOf("P15"),
                       std::to_string(context.messages) + " messages", objection});
}

}  // namespace parley::bench
