#include "threads/model/replies.h"

#include "protocol/ops/base.h"
#include "threads/model/staff_view.h"

namespace parley::threads {

std::string MessageReplyOf(const protocol::Message& message) {
  protocol::MessageReply reply;
  reply.message.msgpack = Wire(message);
  return protocol::Encode(reply);
}

std::string ThreadReplyOf(const Caller& caller, const ThreadRow& head) {
  protocol::ThreadReply reply;
  reply.thread.msgpack = WireFor(caller, head);
  return protocol::Encode(reply);
}

}  // namespace parley::threads
