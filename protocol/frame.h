// The frames between client and server.
//
// clang-format off
//   request  { "id": 7, "op": "message.send", "args": { … } }      without id it gets no reply
//   reply    { "id": 7, "ok": { … } }  or  { "id": 7, "error": { … } }
//   event    { "ev": "message.created", "threadId": …, "seq": 12, "at": …, "item": { … } }
// clang-format on
//
// Frames are built as MessagePack and converted to JSON at the edge (MsgpackToJson), once per frame.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/ids.h"
#include "protocol/base/result.h"
#include "protocol/events.h"
#include "protocol/items.h"
#include "protocol/value.h"

namespace parley::protocol {

// A well-formed request. Views point into `document`.
struct Request {
  std::optional<uint32_t> id;
  std::string_view op;
  const Value* args = nullptr;  // nullptr: none given; the router binds an empty map
  // A member that requests do not have. The session rejects such a request with BAD_REQUEST.
  std::optional<std::string_view> unknown;
  Document document;
};

// Why a frame is malformed. Such a frame ends the session with the given close code.
struct FrameFault {
  CloseCode close;
  std::string why;
};
std::optional<FrameFault> ParseRequest(Encoding encoding, std::string bytes, const DecodeLimits& limits,
                                       Request* out);

// `ok` is one encoded map.
std::string OkReply(uint32_t id, std::string_view ok);
std::string OkReplyHead(uint32_t id);  // all bytes before `ok` in it
std::string ErrorReply(uint32_t id, const Error& error, std::string_view corr_id);
// The error map itself, also for HTTP.
std::string ErrorMap(const Error& error, std::string_view corr_id);

std::string SharedEvent(EventKind kind, const ThreadId& thread, int64_t seq, Time at, std::string_view item);
std::string SkipEvent(const ThreadId& thread, int64_t seq);
std::string ParticipantReadEvent(const ThreadId& thread, const UserId& user,
                                 const std::optional<MessageId>& message, std::optional<Time> at);
std::string InboxUpdatedEvent(std::string_view entry);
std::string RequestUpdatedEvent(const ThreadId& thread, const MessageRequest& request);
std::string ThreadSyncedEvent(const ThreadId& thread, int64_t seq);
std::string TypingEvent(const ThreadId& thread, const std::vector<UserId>& users);
std::string PresenceEvent(const ThreadId& thread, const UserId& user, bool online);
std::string SessionExpiringEvent(Time expires_at);
std::string SessionDrainingEvent(int64_t reconnect_within_ms);

}  // namespace parley::protocol
