// Catch-up by state: what changed in a thread after a seq, each item once, in its latest state, in order of
// that last change. Works from LOG# rows alone, so it is right after a restart and on any node.
#pragma once

#include <string>
#include <vector>

#include "protocol/ops.h"
#include "threads/caller.h"
#include "threads/row_reader.h"

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
};

// At most `limit` changes with seq > after, without those that the viewer may not see. REQUIRES: `reader` is
// one snapshot.
Result<ChangePage> ReadChanges(const RowReader& reader, const Caller& viewer, const ThreadId& thread,
                               int64_t after, size_t limit);

// How a client that holds everything up to `held` is told of the change.
protocol::EventKind CatchUpKind(const Change& change, int64_t held);

protocol::ChangeKind ChangeKindOf(protocol::EventKind kind);

}  // namespace parley::threads
