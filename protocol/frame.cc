#include "protocol/frame.h"

#include <limits>

namespace parley::protocol {
namespace {

// Starts an event map of `members` members and writes the first, "ev".
Writer Event(EventKind kind, size_t members) {
  Writer w;
  w.BeginMap(members);
  w.Text("ev");
  w.Text(NameOf(kind));
  return w;
}

void Member(Writer& w, std::string_view name, const auto& value) {
  w.Text(name);
  Put(w, value);
}

}  // namespace

std::optional<FrameFault> ParseRequest(Encoding encoding, std::string bytes, const DecodeLimits& limits,
                                       Request* out) {
  DecodeLimits strict = limits;
  strict.nul = false;
  if (const char* why = Decode(encoding, std::move(bytes), strict, &out->document)) {
    return FrameFault{CloseCode::kUndecodable, why};
  }
  const Value& root = out->document.root;
  if (!root.as_map()) return FrameFault{CloseCode::kMisuse, "a frame is one map"};
  const Value* op = root.Find("op");
  if (!op || !(op->as_text() || op->is_unusable_text()))
    return FrameFault{CloseCode::kMisuse, "op must be text"};
  out->op = op->as_text() ? *op->as_text() : "";  // an empty name is no op
  if (const Value* id = root.Find("id")) {
    const int64_t* n = id->as_int();
    if (!n || *n < 0 || *n > std::numeric_limits<uint32_t>::max()) {
      return FrameFault{CloseCode::kMisuse, "id must be an unsigned 32-bit number"};
    }
    out->id = static_cast<uint32_t>(*n);
  }
  out->args = root.Find("args");
  out->unknown.reset();
  for (const auto& [name, value] : *root.as_map()) {
    if (name != "id" && name != "op" && name != "args") out->unknown = name;
  }
  return std::nullopt;
}

std::string OkReplyHead(uint32_t id) {
  Writer w;
  w.BeginMap(2);
  Member(w, "id", int64_t{id});
  w.Text("ok");
  return w.Take();
}

std::string OkReply(uint32_t id, std::string_view ok) {
  std::string out = OkReplyHead(id);
  out += ok;
  return out;
}

std::string ErrorMap(const Error& error, std::string_view corr_id) {
  const ErrorCodeInfo& info = Describe(error.code);
  Writer w;
  w.BeginMap(size_t{4} + (error.retry_after_ms ? 1 : 0) + (error.current.empty() ? 0 : 1) +
             (error.fields.empty() ? 0 : 1));
  Member(w, "code", std::string(info.name));
  Member(w, "message", error.message);
  Member(w, "hint", error.hint.empty() ? std::string(info.hint) : error.hint);
  Member(w, "corrId", std::string(corr_id));
  if (error.retry_after_ms) Member(w, "retryAfterMs", *error.retry_after_ms);
  if (!error.current.empty()) {
    w.Text("current");
    w.Raw(error.current);
  }
  if (!error.fields.empty()) {
    w.Text("fields");
    w.BeginMap(error.fields.size());
    for (const auto& [name, what] : error.fields) Member(w, name, what);
  }
  return w.Take();
}

std::string ErrorReply(uint32_t id, const Error& error, std::string_view corr_id) {
  Writer w;
  w.BeginMap(2);
  Member(w, "id", int64_t{id});
  w.Text("error");
  w.Raw(ErrorMap(error, corr_id));
  return w.Take();
}

std::string SharedEvent(EventKind kind, const ThreadId& thread, int64_t seq, Time at, std::string_view item) {
  Writer w = Event(kind, 5);
  Member(w, "threadId", thread);
  Member(w, "seq", seq);
  Member(w, "at", at);
  w.Text("item");
  w.Raw(item);
  return w.Take();
}

std::string SkipEvent(const ThreadId& thread, int64_t seq) {
  Writer w = Event(EventKind::kSkip, 3);
  Member(w, "threadId", thread);
  Member(w, "seq", seq);
  return w.Take();
}

std::string ParticipantReadEvent(const ThreadId& thread, const UserId& user,
                                 const std::optional<MessageId>& message, std::optional<Time> at) {
  Writer w = Event(EventKind::kParticipantRead, 5);
  Member(w, "threadId", thread);
  Member(w, "userId", user);
  Member(w, "lastReadMsgId", message);
  Member(w, "lastReadAt", at);
  return w.Take();
}

std::string InboxUpdatedEvent(std::string_view entry) {
  Writer w = Event(EventKind::kInboxUpdated, 2);
  w.Text("entry");
  w.Raw(entry);
  return w.Take();
}

std::string RequestUpdatedEvent(const ThreadId& thread, const MessageRequest& request) {
  Writer w = Event(EventKind::kRequestUpdated, 3);
  Member(w, "threadId", thread);
  w.Text("request");
  w.Raw(Encode(request));
  return w.Take();
}

std::string ThreadSyncedEvent(const ThreadId& thread, int64_t seq) {
  Writer w = Event(EventKind::kThreadSynced, 3);
  Member(w, "threadId", thread);
  Member(w, "seq", seq);
  return w.Take();
}

std::string TypingEvent(const ThreadId& thread, const std::vector<UserId>& users) {
  Writer w = Event(EventKind::kTyping, 3);
  Member(w, "threadId", thread);
  w.Text("userIds");
  w.BeginArray(users.size());
  for (const UserId& user : users) Put(w, user);
  return w.Take();
}

std::string PresenceEvent(const ThreadId& thread, const UserId& user, bool online) {
  Writer w = Event(EventKind::kPresence, 4);
  Member(w, "threadId", thread);
  Member(w, "userId", user);
  Member(w, "online", online);
  return w.Take();
}

std::string SessionExpiringEvent(Time expires_at) {
  Writer w = Event(EventKind::kSessionExpiring, 2);
  Member(w, "expiresAt", expires_at);
  return w.Take();
}

std::string SessionDrainingEvent(int64_t reconnect_within_ms) {
  Writer w = Event(EventKind::kSessionDraining, 2);
  Member(w, "reconnectWithinMs", reconnect_within_ms);
  return w.Take();
}

}  // namespace parley::protocol
