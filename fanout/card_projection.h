// Keeps the feed of outbox.list: the outside effects that wait for the tenant's back end. The inbox
// projection keeps the wakes of lapsing cards.
//
// Rows written: two for each effect that was added or removed, however many wait. Thread contract:
// projection.h.
#pragma once

#include "fanout/projection.h"

namespace parley::fanout {

class CardProjection final : public Projection {
 public:
  ProjectionId id() const override { return ProjectionId::kCards; }
  protocol::Status Rebuild(const storage::Reader& snapshot, const RepairOrder& order,
                           Projected* out) override;
  protocol::Status Project(const storage::Reader& snapshot, const TenantId& tenant, const ThreadId& thread,
                           const Dirty& dirty, Projected* out) override;
};

}  // namespace parley::fanout
