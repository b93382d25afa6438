// The ops of action cards and of the feed of outside effects.
#pragma once

#include "protocol/cards.h"
#include "protocol/ops/base.h"

namespace parley::protocol {

struct CardCreate {
  static constexpr std::string_view kName = "card.create";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "opens an action card in a project: its ACTION message and the card in one atomic write; idempotent on "
      "clientId";
  struct Args {
    ThreadId thread_id;
    ClientId client_id;
    CardWord type;
    Json payload;
    std::optional<Time> expires_at;
    Omit<Time> due_at;
    std::optional<OwnTransitions> allowed_transitions;
    Omit<MessageId> reply_to;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("clientId", &Args::client_id, "makes a repeat return the same card");
      field("type", &Args::type, "the kind of card (docs/cards.md)");
      field("payload", &Args::payload, "the payload, according to the type's schema");
      field("expiresAt", &Args::expires_at, "end of the card unless it is answered");
      field("dueAt", &Args::due_at, "end of the card unless it is final by then");
      field("allowedTransitions", &Args::allowed_transitions, "replace the type's; needed for CUSTOM");
      field("replyTo", &Args::reply_to, "a message of the thread that it answers");
    }
  };
  struct Reply {
    MessageId message_id;
    Card card;
    bool duplicate = false;
    static constexpr void Fields(auto& field) {
      field("messageId", &Reply::message_id, "the ACTION message");
      field("card", &Reply::card, "the card");
      field("duplicate", &Reply::duplicate, "true: an earlier request was answered again");
    }
  };
};

struct CardReply {
  Card card;
  bool duplicate = false;
  static constexpr void Fields(auto& field) {
    field("card", &CardReply::card, "the card");
    field("duplicate", &CardReply::duplicate, "true: an earlier request was answered again");
  }
};

struct CardAct {
  static constexpr std::string_view kName = "card.act";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "applies an intent to a card; idempotent on clientId. Reaching a final state adds a system message";
  struct Args {
    ThreadId thread_id;
    MessageId message_id;
    CardWord intent;
    Seq version;
    ClientId client_id;
    std::optional<Json> data;
    std::optional<Time> expires_at;
    std::optional<Text<1000>> reason;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("messageId", &Args::message_id, "the card");
      field("intent", &Args::intent, "the intent");
      field("version", &Args::version, "the version the caller saw");
      field("clientId", &Args::client_id, "makes a repeat return the first result");
      field("data", &Args::data, "the intent's arguments: a note, a new payload");
      field("expiresAt", &Args::expires_at,
            "end of a counter-proposal; if not given, that of the card it answers");
      field("reason", &Args::reason, "staff: the reason; kept for audit");
    }
  };
  using Reply = CardReply;
};

struct CardList {
  static constexpr std::string_view kName = "card.list";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "the cards of a thread, newest first";
  struct Args {
    ThreadId thread_id;
    std::optional<bool> open;
    std::optional<std::string> cursor;
    std::optional<PageLimit> limit;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("open", &Args::open, "true: only cards that wait for an answer; false: the others");
      field("cursor", &Args::cursor, "continue from here");
      field("limit", &Args::limit, "50 if not given");
    }
  };
  struct Reply {
    EncodedListOf<Card> cards;
    std::optional<std::string> cursor;
    static constexpr void Fields(auto& field) {
      field("cards", &Reply::cards, "newest first, with `allowed`");
      field("cursor", &Reply::cursor, "null at the end");
    }
  };
};

enum class EffectOutcome : uint8_t { kOk, kFailed, kConflict };
template <>
struct EnumNames<EffectOutcome> {
  static constexpr std::string_view kNames[] = {"ok", "failed", "conflict"};
};

struct CardResolve {
  static constexpr std::string_view kName = "card.resolve";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "service: reports the outcome of the outside effect that a card waits for; idempotent on clientId";
  struct Args {
    ThreadId thread_id;
    MessageId message_id;
    Text<128> effect_id;
    EffectOutcome outcome = EffectOutcome::kOk;
    std::optional<CardError> error;
    std::optional<Json> data;
    ClientId client_id;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("messageId", &Args::message_id, "the card");
      field("effectId", &Args::effect_id, "as in the feed");
      field("outcome", &Args::outcome, "done, failed, or in conflict with something");
      field("error", &Args::error, "the reason for a failure");
      field("data", &Args::data, "kept for audit");
      field("clientId", &Args::client_id, "makes a repeat return the first result");
    }
  };
  using Reply = CardReply;
};

struct OutboxList {
  static constexpr std::string_view kName = "outbox.list";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc =
      "service: outside effects in all the tenant's threads that are not resolved or acknowledged yet";
  struct Args {
    std::optional<std::string> cursor;
    std::optional<PageLimit> limit;
    static constexpr void Fields(auto& field) {
      field("cursor", &Args::cursor, "continue from here");
      field("limit", &Args::limit, "50 if not given");
    }
  };
  struct Reply {
    EncodedListOf<OutboxItem> items;
    std::optional<std::string> cursor;
    static constexpr void Fields(auto& field) {
      field("items", &Reply::items, "oldest first");
      field("cursor", &Reply::cursor, "null at the end");
    }
  };
};

struct OutboxAck {
  static constexpr std::string_view kName = "outbox.ack";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "service: removes effects that await nothing from the feed; missing ones are not an error";
  struct Args {
    ThreadId thread_id;
    List<Text<128>, 100> effect_ids;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread that they came from");
      field("effectIds", &Args::effect_ids, "as in the feed");
    }
  };
  struct Reply {
    int64_t acknowledged = 0;
    static constexpr void Fields(auto& field) {
      field("acknowledged", &Reply::acknowledged, "the number of them that were in the feed");
    }
  };
};

}  // namespace parley::protocol
