// Encodes and sends the output of a session, and bounds what the client has not read.
//
// The transport's queue is bounded: a client that does not read is closed with 4508 and resumes later.
// Thread contract: the loop's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "gateway/ws/session_core.h"

namespace parley::gateway {

class Outbound {
 public:
  explicit Outbound(SessionCore& core) : core_(core) {}

  SharedFramePtr Encode(std::string msgpack) const;
  // All of these send nothing if the connection is gone or closing. A full outbox closes the session.
  void SendMsgpack(std::string msgpack);
  void SendOk(uint32_t id, std::string ok);  // the reply to a request
  void SendFrame(const SharedFramePtr& frame);
  void SendLive(const SharedFramePtr& frame);  // an event; a client that sends no more gets none

  // Returns true if more than 1/part of the outbox is used, including deferred events.
  bool HasBacklog(size_t part) const;
  // Returns false if an answer would not be read: the connection is gone, or its peer has closed and does not
  // read.
  bool CanAnswer() const { return core_.connection && !(core_.input_ended && HasBacklog(4)); }

  // Deferred events count as unread.
  void CountDeferred(size_t bytes) { deferred_bytes_ += bytes; }
  void ForgetDeferred() { deferred_bytes_ = 0; }

 private:
  SessionCore& core_;
  size_t deferred_bytes_ = 0;
};

}  // namespace parley::gateway
