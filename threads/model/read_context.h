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
  size_t page_bytes = protocol::kMaxPageBytes;            // size of a page, as JSON
  const People* people = nullptr;                         // none: nobody blocks anybody
  const storage::Sealer* sealer = nullptr;                // none: what is sealed stays so
  protocol::FolderSet folders = ~protocol::FolderSet{0};  // that the inbox offers

  RowReader rows() const { return RowReader(snapshot, caller.tenant); }
};

// THREAD_NOT_MEMBER unless the caller may look into the thread; MSG_GATE_REQUIRED while a message request
// keeps them out.
Result<Standing> StandingOf(const ReadContext& context, const ThreadId& thread);

// Whether a block between the parties holds in the thread.
Result<bool> PairBlocked(const ReadContext& context, const ThreadRow& head);
// What moderators decided about the caller, as it holds now.
Result<protocol::UserState> OwnState(const ReadContext& context);
// Whether either of the two blocks the other, wherever they meet.
Result<bool> AreBlocked(const ReadContext& context, const UserId& a, const UserId& b);

using ReadAnswer = Result<std::string>;

}  // namespace parley::threads
