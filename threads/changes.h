// Catch-up by state: what changed in a thread after a seq, each item once, in its latest state, in order of
// that last change. Works from LOG# rows alone, so it is right after a restart and on any node.
#pragma once

#include <string>
#include <vector>

#include "protocol/ops.h"
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

// Whether what changed after `after` can no longer be told from rows: some of it was swept (retention.h), so
// the client starts anew.
bool IsBeyondLog(const ThreadRow& head, int64_t after);

// At most `limit` changes with seq > after. REQUIRES: `reader` is one snapshot, and they are not beyond the
// log.
Result<ChangePage> ReadChanges(const RowReader& reader, const ThreadId& thread, int64_t after, size_t limit);

// How a client that holds everything up to `held` is told of the change.
protocol::EventKind CatchUpKind(const Change& change, int64_t held);

protocol::ChangeKind ChangeKindOf(protocol::EventKind kind);

}  // namespace parley::threads
