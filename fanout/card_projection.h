// The outside effects that wait to be carried out: the feed of outbox.list. (Lapsing cards are wakes like any
// other, kept by the inbox projection.)
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
