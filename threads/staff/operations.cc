#include "threads/staff/operations.h"

#include "threads/run/write_op.h"
#include "threads/staff/message_history.h"
#include "threads/staff/moderate_message.h"
#include "threads/staff/set_thread_status.h"

namespace parley::threads {

Operations StaffOperations() {
  static const Operation rows[] = {
      ReadOp<protocol::MessageHistory, ListHistory>(),
      WriteOp<ModerateMessage>(),
      WriteOp<SetThreadStatus>(),
  };
  return rows;
}

}  // namespace parley::threads
