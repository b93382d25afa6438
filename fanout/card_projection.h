// Which outside effects wait to be carried out: the feed of outbox.list. (When cards lapse is a time like
// others, kept by the inbox projection.)
//
// Rows written: two for each effect that came or went, however many wait. Thread contract: projection.h.
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
