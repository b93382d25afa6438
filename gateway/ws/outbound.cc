#include "gateway/ws/outbound.h"

#include <utility>

namespace parley::gateway {

using protocol::CloseCode;

SharedFramePtr Outbound::Encode(std::string msgpack) const {
  const bool json = core_.encoding == protocol::Encoding::kJson;
  return MakeFrame(json ? protocol::MsgpackToJson(msgpack) : std::move(msgpack), !json,
                   core_.node().readers());
}

// A page can be large, so it is not copied into the frame.
void Outbound::SendOk(uint32_t id, std::string ok) {
  if (core_.encoding == protocol::Encoding::kJson) return SendMsgpack(protocol::OkReply(id, ok));
  if (!core_.connection || core_.closing()) return;
  SendFrame(MakeFrame(protocol::OkReplyHead(id), std::move(ok), true, core_.node().readers()));
}

void Outbound::SendMsgpack(std::string msgpack) {
  if (core_.connection && !core_.closing()) SendFrame(Encode(std::move(msgpack)));
}

void Outbound::SendFrame(const SharedFramePtr& frame) {
  if (!core_.connection || core_.closing()) return;
  // No answer is larger than half of an outbox (options.cc), so a full outbox is the reader's fault.
  const size_t unread = core_.connection->BufferedBytes();
  if (unread + FrameBytes(*frame) > static_cast<size_t>(core_.config().outbox_bytes)) {
    return core_.CloseWith(CloseCode::kTooSlow, "the client reads too slowly");
  }
  core_.connection->Send(frame);
}

void Outbound::SendLive(const SharedFramePtr& frame) {
  if (!core_.input_ended) SendFrame(frame);  // a client that closes will resume
}

bool Outbound::HasBacklog(size_t part) const {
  return core_.connection && core_.connection->BufferedBytes() + deferred_bytes_ >
                                 static_cast<size_t>(core_.config().outbox_bytes) / part;
}

}  // namespace parley::gateway
