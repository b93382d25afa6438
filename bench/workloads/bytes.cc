// P19: the size of a delivery on the wire, in both encodings, for sessions that use the compact form. Counts
// bytes; measures no time.
#include <cstdio>

#include "bench/load/rooms.h"
#include "bench/process/server_process.h"
#include "bench/report/goals.h"
#include "bench/workloads/workload.h"

namespace parley::bench {
namespace {

constexpr size_t kBodyBytes = 128;

RoomsResult Measure(const Context& context, const ServerProcess& server, protocol::Encoding encoding,
                    bool compact) {
  Target target;
  target.address = server.address();
  target.encoding = encoding;
  target.compact = compact;
  RoomsPlan plan;
  plan.rooms = 10;
  plan.members = plan.online = 10;
  plan.outstanding = 10;
  plan.body_bytes = kBodyBytes;
  plan.warmup_seconds = 0.2;
  plan.seconds = context.seconds / 3;
  plan.prefix = std::string(encoding == protocol::Encoding::kJson ? "j" : "m") + (compact ? "c" : "f");
  Poller poller;
  return Rooms(poller, target, plan, server.pid()).Run();
}

}  // namespace

void RunBytes(const Context& context) {
  const ScratchDir dir(context.scratch);
  const ServerProcess server(context.parleyd, dir.path());
  for (const auto encoding : {protocol::Encoding::kJson, protocol::Encoding::kMsgpack}) {
    const bool json = encoding == protocol::Encoding::kJson;
    const RoomsResult compact = Measure(context, server, encoding, true);
    const RoomsResult full = Measure(context, server, encoding, false);
    std::string objection = compact.Objection();
    if (objection.empty() && compact.sampled_events == 0) objection = "no event was sampled";
    char note[64];
    std::snprintf(note, sizeof note, "in full %.0f bytes", full.event_bytes());
    context.report->Add({"P19",
                         std::string("bytes on the wire per delivery of a 128-byte body, compact, ") +
                             (json ? "JSON" : "MessagePack"),
                         compact.event_bytes(), "bytes of the body", static_cast<double>(kBodyBytes),
                         compact.event_bytes() / static_cast<double>(kBodyBytes),
                         GoalOf(json ? "P19" : "P19 msgpack"), note, objection});
  }
}

}  // namespace parley::bench
