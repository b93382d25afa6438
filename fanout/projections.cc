#include "fanout/projections.h"

#include <algorithm>
#include <limits>

#include "fanout/card_projection.h"
#include "fanout/inbox_projection.h"
#include "fanout/project_projection.h"

namespace parley::fanout {

void AddProjections(const protocol::Clock& clock, WantsEntries wants, Worker* worker) {
  worker->Add(std::make_unique<InboxProjection>(clock, std::move(wants)));
  worker->Add(std::make_unique<ProjectProjection>());
  worker->Add(std::make_unique<CardProjection>());
}

storage::Position LeastPosition(Worker& worker) {
  storage::Position least = std::numeric_limits<storage::Position>::max();
  for (size_t i = 0; i < std::size(protocol::EnumNames<ProjectionId>::kNames); ++i)
    least = std::min(least, worker.watermark(static_cast<ProjectionId>(i)).position());
  return least;
}

}  // namespace parley::fanout
