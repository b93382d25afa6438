// The input of a read of one thread. Reads are answered from one snapshot, never through the executor; each
// returns the ok map, encoded. Thread contract: any thread; a Reader must be one snapshot.
#pragma once

#include <string>

#include "protocol/json_size.h"
#include "protocol/ops/inbox.h"
#include "storage/sealing/sealer.h"
#include "threads/model/access.h"
#include "threads/model/cursor.h"
#include "threads/model/people.h"
#include "threads/model/row_reader.h"

namespace parley::threads {

struct ReadContext {
  const storage::Reader& snapshot;
  const Caller& caller;
  const CursorCodec& cursors;
  protocol::Time now;
  size_t page_bytes = protocol::kMaxPageBytes;            // maximum size of a page, as JSON
  const People* people = nullptr;                         // nullptr: no blocks, sanctions or switches
  const storage::Sealer* sealer = nullptr;                // nullptr: sealed data stays sealed
  protocol::FolderSet folders = ~protocol::FolderSet{0};  // the folders that the inbox offers

  RowReader rows() const { return RowReader(snapshot, caller.tenant); }
};

// THREAD_NOT_MEMBER unless the caller may look into the thread; MSG_GATE_REQUIRED while a message request
// keeps them out; UNAVAILABLE for a member while messaging is disabled.
Result<Standing> StandingOf(const ReadContext& context, const ThreadId& thread);

// Whether a block between the thread's parties applies in the thread.
Result<bool> PairBlocked(const ReadContext& context, const ThreadRow& head);
// The caller's sanction now.
Result<protocol::UserState> OwnState(const ReadContext& context);
// Whether one of the two users blocks the other, in any thread.
Result<bool> AreBlocked(const ReadContext& context, const UserId& a, const UserId& b);

using ReadAnswer = Result<std::string>;

}  // namespace parley::threads
