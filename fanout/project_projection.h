// Keeps the project index (GSI2): threads by LBG and by leg, in createdAt order. A thread bound to both is
// listed under both. Thread contract: projection.h.
#pragma once

#include "fanout/keys.h"
#include "fanout/projection.h"

namespace parley::fanout {

class ProjectProjection final : public Projection {
 public:
  ProjectionId id() const override { return ProjectionId::kProject; }
  protocol::Status Rebuild(const storage::Reader& snapshot, const RepairOrder& order,
                           Projected* out) override;
  protocol::Status Project(const storage::Reader& snapshot, const TenantId& tenant, const ThreadId& thread,
                           const Dirty& dirty, Projected* out) override;
};

}  // namespace parley::fanout
