#include "fanout/operations.h"

#include "fanout/index_reads.h"

namespace parley::fanout {

using threads::ReadOp;
using threads::Recorded;
using threads::Waits;

threads::Operations IndexOperations() {
  static const threads::Operation rows[] = {
      ReadOp<protocol::InboxList, ListInbox>(Waits::kInbox),
      // Threads of a project are found among the caller's own if those are fewer, so both indexes are needed.
      ReadOp<protocol::ThreadByProject, ListByProject>(Waits::kProject | Waits::kInbox,
                                                       Recorded::kStaffWhoSeesAll),
      ReadOp<protocol::OutboxList, ListOutbox>(Waits::kCards),
  };
  return rows;
}

}  // namespace parley::fanout
