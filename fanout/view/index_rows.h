// The inbox and project indexes as items of the messaging view, in order of their sort keys.
#pragma once

#include "fanout/view/thread_rows.h"

namespace parley::fanout {

// A part of one index partition.
struct IndexPart {
  storage::SortRange rows;  // places (PlaceKey), or rows of the project index (ProjectKey)
  bool forward = true;
  size_t portion = 0;  // the number of entries read first
};

// Visits the participant's own rows in all their threads, in any folder.
protocol::Status VisitInboxItems(const ViewReader& reader, const UserId& user, const IndexPart& part,
                                 const ItemVisitor& visit);
// Visits the threads that are bound to an LBG or a leg, whose text is `hash`.
protocol::Status VisitProjectItems(const ViewReader& reader, const std::string& hash, const IndexPart& part,
                                   const ItemVisitor& visit);

}  // namespace parley::fanout
