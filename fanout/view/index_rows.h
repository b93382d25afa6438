// The inbox and project indexes as items of the messaging view, in order of their sort keys.
#pragma once

#include "fanout/view/thread_rows.h"

namespace parley::fanout {

// A part of one index partition.
struct IndexPart {
  storage::SortRange rows;  // of places (PlaceKey), or of rows of the project index (ProjectKey)
  bool forward = true;
  size_t portion = 0;  // how many entries are read first
};

// The participant's own rows of all their threads, in any folder.
protocol::Status VisitInboxItems(const ViewReader& reader, const UserId& user, const IndexPart& part,
                                 const ItemVisitor& visit);
// The threads that are bound to an LBG or a leg. `hash`: its text.
protocol::Status VisitProjectItems(const ViewReader& reader, const std::string& hash, const IndexPart& part,
                                   const ItemVisitor& visit);

}  // namespace parley::fanout
