// Catch-up by state: the items of a thread that changed after a seq, each once in its latest state, in order
// of its last change. It reads LOG# rows only, so it works after a restart and on any node.
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
  int64_t born_seq = 0;                                            // the seq that created the item
  protocol::EventKind kind = protocol::EventKind::kThreadUpdated;  // kind of that last change
  protocol::Time at;
  std::string wire;
};

struct ChangePage {
  std::vector<Change> changes;
  int64_t through = 0;  // all seqs up to here are processed; continue after it
  bool more = false;    // there are seqs beyond `through`
  // All members except staff get the same page until the head changes: it has only messages and changes of
  // the thread itself, and no restricted ones. Cards depend on the clock, tabs on the viewer, and
  // participants' rows change without the head.
  bool same_for_members = false;
};

// Whether some of the changes after `after` were swept (model/retention.h).
bool IsSwept(const ThreadRow& head, int64_t after);

// The changes that a client may be behind. IsBeyondLog: it is further behind, or ahead of the thread, and
// must reset. The limit bounds the cost of a page, which has to skip stale LOG# rows (in threads of earlier
// versions) or deleted ones (in all others).
inline constexpr int64_t kMaxBehind = kKeptChanges;
bool IsBeyondLog(const ThreadRow& head, int64_t held);

// Reads at most `limit` changes with seq > after and at most `page_bytes` of them as JSON, without those that
// the viewer may not see. A page is full, or reaches the end. REQUIRES: `reader` is one snapshot, and no
// change after `after` was swept.
Result<ChangePage> ReadChanges(const RowReader& reader, const Caller& viewer, const ThreadId& thread,
                               int64_t after, size_t limit, size_t page_bytes = protocol::kMaxPageBytes);

// The kind of event that reports the change to a client that has everything up to `held`.
protocol::EventKind CatchUpKind(const Change& change, int64_t held);

}  // namespace parley::threads
