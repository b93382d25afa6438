// Ops of staff on what happened in a thread.
#pragma once

#include "protocol/cards.h"
#include "protocol/items.h"
#include "protocol/ops/base.h"

namespace parley::protocol {

// One record of a thread's audit: what was done to a card, or that staff looked.
struct AuditEntry {
  std::string what;  // opened, transition, requested, refused: of a card; looked: by staff
  std::optional<MessageId> message_id;
  std::optional<std::string> type;
  std::optional<std::string> category;
  std::optional<std::string> intent;
  std::optional<std::string> from_state;
  std::optional<std::string> to_state;
  std::optional<int64_t> version;
  std::optional<UserId> actor_user_id;
  std::optional<std::string> actor_role;
  std::optional<std::string> reason;
  std::optional<std::string> note;
  std::optional<Json> data;
  std::optional<std::string> effect_id;
  std::optional<CardError> error;
  std::optional<LbgId> lbg_id;
  std::optional<LegId> leg_id;
  std::optional<std::string> doc_id;
  std::optional<std::string> amendment_id;
  std::optional<std::string> op;
  Time at;

  static constexpr auto Fields() {
    using T = AuditEntry;
    return std::tuple(
        Field("what", &T::what, "opened, transition, requested or refused: of a card; looked: by staff"),
        Field("messageId", &T::message_id, "the card; of a look: the case that let staff in, if any"),
        Field("type", &T::type, "the card's type"), Field("category", &T::category, "of the type"),
        Field("intent", &T::intent, "what was asked of the card"),
        Field("fromState", &T::from_state, "state before"), Field("toState", &T::to_state, "state after"),
        Field("version", &T::version, "the card's version then"),
        Field("actorUserId", &T::actor_user_id, "who; null for the clock and services"),
        Field("actorRole", &T::actor_role, "member, admin, support, moderator, service or clock"),
        Field("reason", &T::reason, "why, as staff said"), Field("note", &T::note, "what was said with it"),
        Field("data", &T::data, "what was given with the intent"),
        Field("effectId", &T::effect_id, "the outside effect it is about"),
        Field("error", &T::error, "why the outside effect did not happen"),
        Field("lbgId", &T::lbg_id, "of the thread"), Field("legId", &T::leg_id, "the leg it is about"),
        Field("docId", &T::doc_id, "named by the outcome of an outside effect, else by the payload"),
        Field("amendmentId", &T::amendment_id, "likewise"), Field("op", &T::op, "of a look: by which op"),
        Field("at", &T::at, "when"));
  }
};

struct ModerationAudit {
  static constexpr std::string_view kName = "moderation.audit";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc =
      "staff: what was done to a thread's cards and who of the staff looked; looking is a look, too";
  struct Args {
    ThreadId thread_id;
    std::optional<MessageId> message_id;
    std::optional<UserId> actor;
    std::optional<std::string> cursor;
    std::optional<PageLimit> limit;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("messageId", &Args::message_id, "only what is about this card"),
                        Field("actor", &Args::actor, "only what this user did"),
                        Field("cursor", &Args::cursor, "go on from here"),
                        Field("limit", &Args::limit, "50 if not given"));
    }
  };
  struct Reply {
    List<AuditEntry, 200> entries;
    std::optional<std::string> cursor;
    static constexpr auto Fields() {
      return std::tuple(Field("entries", &Reply::entries, "newest first; may be fewer than asked for"),
                        Field("cursor", &Reply::cursor, "null at the end"));
    }
  };
};

// What a message was before one of its changes.
struct MessageVersion {
  int64_t seq = 0;
  std::optional<Time> at;
  std::optional<UserId> by;
  std::optional<Text<1000>> reason;
  Message before;

  static constexpr auto Fields() {
    using T = MessageVersion;
    return std::tuple(Field("seq", &T::seq, "of the change that ended it"),
                      Field("at", &T::at, "when; null where an older release kept no time"),
                      Field("by", &T::by, "who changed it; null for a service"),
                      Field("reason", &T::reason, "why, as staff said"),
                      Field("before", &T::before, "the message as it was until then"));
  }
};

struct MessageHistory {
  static constexpr std::string_view kName = "message.history";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc =
      "staff: what a message was before it was edited, deleted or redacted; it is a look, and recorded";
  struct Args {
    ThreadId thread_id;
    MessageId message_id;
    std::optional<std::string> cursor;
    std::optional<PageLimit> limit;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("messageId", &Args::message_id, "the message"),
                        Field("cursor", &Args::cursor, "go on from here"),
                        Field("limit", &Args::limit, "50 if not given"));
    }
  };
  struct Reply {
    EncodedListOf<MessageVersion> versions;
    std::optional<std::string> cursor;
    static constexpr auto Fields() {
      return std::tuple(Field("versions", &Reply::versions, "newest first; the page may end before `limit`"),
                        Field("cursor", &Reply::cursor, "null at the end"));
    }
  };
};

struct ThreadSetStatus {
  static constexpr std::string_view kName = "thread.setStatus";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc = "staff: archives, locks or reopens a thread";
  struct Args {
    ThreadId thread_id;
    ThreadStatus status = ThreadStatus::kOpen;
    Text<1000> reason;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("status", &Args::status, "the new status"),
                        Field("reason", &Args::reason, "kept for audit"));
    }
  };
  using Reply = ThreadReply;
};

}  // namespace parley::protocol
