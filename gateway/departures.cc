#include "gateway/departures.h"

#include "accounts/permissions/departure.h"
#include "accounts/users/departed.h"
#include "gateway/lane.h"
#include "gateway/node.h"
#include "gateway/records.h"

namespace parley::gateway {

using accounts::Departed;
using protocol::Result;

namespace {
constexpr size_t kAtOnce = 100;

void Clear(Lane& lane, const Departed& who, std::function<void(bool ok)> then) {
  DecideRecords<bool>(
      lane, who.tenant,
      [user = who.user](accounts::RecordStage& stage) { return accounts::ClearDeparted(stage, user); },
      [&lane, who, then = std::move(then)](const Result<bool>& more) {
        if (more.ok() && *more) return Clear(lane, who, then);
        then(more.ok());
      });
}
}  // namespace

void ClearDeparted(Lane& lane, const protocol::TenantId& tenant, const protocol::UserId& user) {
  Clear(lane, {tenant, user}, [](bool) {});
}

void ClearAllDeparted(Lane& lane) {
  auto left = std::make_shared<std::vector<Departed>>();
  ReadJob job;
  job.read = [left](const storage::Reader& reader) {
    if (auto found = accounts::AllDeparted(reader, kAtOnce); found.ok()) *left = *std::move(found);
  };
  job.finish = [&lane, left] {
    const auto cleared = std::make_shared<size_t>(0);
    for (const Departed& one : *left) {
      Clear(lane, one, [&lane, cleared](bool ok) {
        *cleared += ok ? 1 : 0;
        if (*cleared == kAtOnce) ClearAllDeparted(lane);
      });
    }
  };
  job.loop = &lane.loop();
  lane.node().read_pool().Submit(job);
}

}  // namespace parley::gateway
