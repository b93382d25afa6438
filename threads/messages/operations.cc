#include "threads/messages/operations.h"

#include "threads/messages/change_message.h"
#include "threads/messages/mark_message.h"
#include "threads/messages/message_reads.h"
#include "threads/messages/send_message.h"
#include "threads/run/write_op.h"

namespace parley::threads {

Operations MessageOperations() {
  static const Operation rows[] = {
      ReadOp<protocol::MessageList, ListMessages>(),
      WriteOp<SendMessage>(),
      WriteOp<EditMessage>(),
      WriteOp<ReactToMessage>(),
      WriteOp<PinMessage>(),
  };
  return rows;
}

}  // namespace parley::threads
