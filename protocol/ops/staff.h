// Ops for staff in one thread: its past, its status, and its messages.
#pragma once

#include "protocol/cards.h"
#include "protocol/items.h"
#include "protocol/ops/base.h"

namespace parley::protocol {

// One record of a thread's audit: a change of a card, or a read of the thread by staff.
struct AuditEntry {
  std::string what;  // opened, transition, requested, refused, file: of a card; looked: by staff
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
  Omit<std::string> case_id;
  Omit<AuditId> audit_id;
  Time at;

  static constexpr void Fields(auto& field) {
    using T = AuditEntry;
    field("what", &T::what,
          "opened, transition, requested or refused: of a card; file: an upload that it shows changed; "
          "looked: staff looked into the thread");
    field("messageId", &T::message_id, "the card; for a look: the case that let staff in, if any");
    field("type", &T::type, "the card's type");
    field("category", &T::category, "of the type");
    field("intent", &T::intent, "the intent");
    field("fromState", &T::from_state, "state before");
    field("toState", &T::to_state, "state after");
    field("version", &T::version, "the card's version then");
    field("actorUserId", &T::actor_user_id, "the actor; null for the clock and services");
    field("actorRole", &T::actor_role, "member, admin, support, moderator, service or clock");
    field("reason", &T::reason, "why, as staff said");
    field("note", &T::note, "the note");
    field("data", &T::data, "the intent's arguments");
    field("effectId", &T::effect_id, "the outside effect that it is about");
    field("error", &T::error, "why the outside effect did not happen");
    field("lbgId", &T::lbg_id, "the thread's");
    field("legId", &T::leg_id, "the leg it is about");
    field("docId", &T::doc_id, "named by the outcome of an outside effect, else by the payload");
    field("amendmentId", &T::amendment_id,
          "the amendment: named by the outcome of an outside effect, else by the payload");
    field("op", &T::op, "for a look: the op");
    field("caseId", &T::case_id, "for a look by staff who are bound to cases: the case that let them in");
    field("auditId", &T::audit_id, "for a look: its entry in the tenant's audit; older looks have none");
    field("at", &T::at, "when");
  }
};

struct ThreadAudit {
  static constexpr std::string_view kName = "thread.audit";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc =
      "staff: changes of a thread's cards and staff's access to the thread; this op is recorded as an "
      "access, too";
  struct Args {
    ThreadId thread_id;
    std::optional<MessageId> message_id;
    std::optional<UserId> actor;
    std::optional<std::string> cursor;
    std::optional<PageLimit> limit;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("messageId", &Args::message_id, "only entries about this card");
      field("actor", &Args::actor, "only acts of this user");
      field("cursor", &Args::cursor, "continue from here");
      field("limit", &Args::limit, "50 if not given");
    }
  };
  struct Reply {
    List<AuditEntry, 200> entries;
    std::optional<std::string> cursor;
    static constexpr void Fields(auto& field) {
      field("entries", &Reply::entries, "newest first; may be fewer than asked for");
      field("cursor", &Reply::cursor, "null at the end");
    }
  };
};

// A body as its author wrote it, before the text policy redacted it.
struct MessageOriginal {
  int64_t seq = 0;
  std::string body;
  static constexpr void Fields(auto& field) {
    using T = MessageOriginal;
    field("seq", &T::seq, "the seq of the change that made it");
    field("body", &T::body, "as it was written; masked like everything else");
  }
};

struct MessageHistory {
  static constexpr std::string_view kName = "message.history";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc =
      "staff: a message's bodies before it was edited, deleted or redacted; recorded as an access";
  struct Args {
    ThreadId thread_id;
    MessageId message_id;
    std::optional<std::string> cursor;
    std::optional<PageLimit> limit;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("messageId", &Args::message_id, "the message");
      field("cursor", &Args::cursor, "continue from here");
      field("limit", &Args::limit, "50 if not given");
    }
  };
  struct Reply {
    EncodedListOf<MessageVersion> versions;
    EncodedListOf<MessageOriginal> originals;
    std::optional<std::string> cursor;
    static constexpr void Fields(auto& field) {
      field("versions", &Reply::versions, "newest first; the page may end before `limit`");
      field("originals", &Reply::originals,
            "with the first page: bodies that the text policy redacted, newest first, for 180 days");
      field("cursor", &Reply::cursor, "null at the end");
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
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("status", &Args::status, "the new status");
      field("reason", &Args::reason, "kept for audit");
    }
  };
  using Reply = ThreadReply;
};

struct ModerationMessage {
  static constexpr std::string_view kName = "moderation.message";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "staff: marks, withholds, restores or redacts a message; a redaction is final";
  struct Args {
    ThreadId thread_id;
    MessageId message_id;
    Moderation moderation = Moderation::kClean;
    std::optional<Bounded<0, 2>> nsfw_band;
    std::optional<bool> illegal;
    Text<1000> reason;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("messageId", &Args::message_id, "the message");
      field("illegal", &Args::illegal,
            "true, with redacted: its files are illegal; files with the same bytes go into quarantine "
            "everywhere in the tenant, also later ones");
      field("moderation", &Args::moderation,
            "clean, flagged (staff see it), blocked (withheld from members) or redacted");
      field("nsfwBand", &Args::nsfw_band, "0 safe, 1 suggestive, 2 mature; unchanged if not given");
      field("reason", &Args::reason, "kept for audit");
    }
  };
  using Reply = MessageReply;
};

}  // namespace parley::protocol
