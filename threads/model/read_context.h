// The input of a read of one thread. Reads are answered from one snapshot, never through the executor; each
// returns the ok map, encoded. Thread contract: any thread; a Reader must be one snapshot.
#pragma once

#include <string>

#include "protocol/json_size.h"
#include "threads/model/access.h"
#include "threads/model/cursor.h"
#include "threads/model/row_reader.h"

namespace parley::threads {

struct ReadContext {
  const storage::Reader& snapshot;
  const Caller& caller;
  const CursorCodec& cursors;
  protocol::Time now;
  size_t page_bytes = protocol::kMaxPageBytes;  // size of a page, as JSON

  RowReader rows() const { return RowReader(snapshot, caller.tenant); }
};

// THREAD_NOT_MEMBER unless the caller may look into the thread.
Result<Standing> StandingOf(const ReadContext& context, const ThreadId& thread);

using ReadAnswer = Result<std::string>;

}  // namespace parley::threads
