#include "threads/inbox/operations.h"

#include "threads/inbox/explain_inbox.h"
#include "threads/inbox/own_row.h"
#include "threads/run/write_op.h"

namespace parley::threads {

Operations InboxOperations() {
  static const Operation rows[] = {
      ReadOp<protocol::InboxExplain, ExplainInbox>(),
      WriteOp<MuteThread>(),
      WriteOp<SetInboxFlags>(),
      WriteOp<MarkRead>(),
  };
  return rows;
}

}  // namespace parley::threads
