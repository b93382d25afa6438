// Catch-up by state: what changed in a thread after a seq, each item once, in its latest state, in order of
// that last change. Works from LOG# rows alone, so it is right after a restart and on any node.
#pragma once

#include <string>
#include <vector>

#include "protocol/json_size.h"
#include "protocol/ops/lifecycle.h"
#include "threads/model/caller.h"
#include "threads/model/retention.h"
#include "threads/model/row_reader.h"

namespace parley::threads {

struct Change {
  int64_t seq = 0;
  int64_t born_seq = 0;                                            // when the item came into being
  protocol::EventKind kind = protocol::EventKind::kThreadUpdated;  // of that last change
  protocol::Time at;
  std::string wire;
};

struct ChangePage {
  std::vector<Change> changes;
  int64_t through = 0;  // every seq up to here has been looked at: go on after it
  bool more = false;    // there are seqs beyond `through`
  // Any member who is not staff is told the same until the head changes: there are only messages and changes
  // of the thread itself, none of them for one user. Cards are shown by the clock, tabs by the viewer, and
  // participants' rows change without the head.
  bool same_for_members = false;
};

// Whether some of what changed after `after` was swept (retention.h).
bool IsSwept(const ThreadRow& head, int64_t after);

// A client that holds so little, or more than there is, starts afresh. That bounds what a page may cost: so
// many LOG# rows at most are stale (in threads that earlier versions wrote) or gone since (in all others),
// and have to be passed over.
inline constexpr int64_t kMaxBehind = kKeptChanges;
bool IsBeyondLog(const ThreadRow& head, int64_t held);

// At most `limit` changes with seq > after, without those that the viewer may not see, and no more than
// `page_bytes` of them as JSON. A page is full, or ends at the end. REQUIRES: `reader` is one snapshot, and
// nothing after `after` was swept.
Result<ChangePage> ReadChanges(const RowReader& reader, const Caller& viewer, const ThreadId& thread,
                               int64_t after, size_t limit, size_t page_bytes = protocol::kMaxPageBytes);

// How a client that holds everything up to `held` is told of the change.
protocol::EventKind CatchUpKind(const Change& change, int64_t held);

}  // namespace parley::threads
