// Action cards as they appear on the wire and in rows: the card itself, its parts that the ACTION message
// shows, and the outside effect that the tenant's back end carries out.
#pragma once

#include <optional>
#include <string>

#include "protocol/base/ids.h"
#include "protocol/schema.h"

namespace parley::protocol {

using CardWord = Text<64>;  // a card type, state or intent

// The party that may apply an intent.
enum class CardActor : uint8_t {
  kCreator,
  kCounterpart,
  kBuyer,
  kSeller,
  kParty,
  kAnyone,
  kSupport,
  kService
};
template <>
struct EnumNames<CardActor> {
  static constexpr std::string_view kNames[] = {"creator", "counterpart", "buyer",   "seller",
                                                "party",   "anyone",      "support", "service"};
};

// One line of a card's own transitions, which replace the table's.
struct OwnTransition {
  std::optional<CardWord> from;
  CardWord intent;
  CardWord to_state;
  std::optional<CardActor> by;

  static constexpr void Fields(auto& field) {
    using T = OwnTransition;
    field("from", &T::from, "the state it leaves; if not given, the card's first state");
    field("intent", &T::intent, "the intent");
    field("toState", &T::to_state, "the state it leads to");
    field(
        "by", &T::by,
        "the users who may take it; the table decides between states of the table; otherwise, if not given, "
        "the counterpart");
  }
};
inline constexpr size_t kMaxOwnTransitions = 32;
using OwnTransitions = List<OwnTransition, kMaxOwnTransitions>;

// Why an outside effect did not happen.
struct CardError {
  CardWord code;
  Text<500> message;

  static constexpr void Fields(auto& field) {
    using T = CardError;
    field("code", &T::code, "ACTION_CONFLICT for a clash, else the back end's own");
    field("message", &T::message, "for developers");
  }
};

// An accepted intent that waits for its outside effect.
struct CardAwaiting {
  Text<128> effect_id;
  CardWord effect;
  CardWord intent;
  std::optional<UserId> by;
  Time since;

  static constexpr void Fields(auto& field) {
    using T = CardAwaiting;
    field("effectId", &T::effect_id, "names the effect in card.resolve");
    field("effect", &T::effect, "the effect that the back end carries out");
    field("intent", &T::intent, "the card's transition after the effect");
    field("by", &T::by, "the author of the intent");
    field("since", &T::since, "time of the request");
  }
};

struct Card {
  MessageId message_id;
  CardWord type;
  Json payload;
  CardWord state;
  int64_t version = 1;
  UserId created_by;
  Time created_at;
  Time updated_at;
  std::optional<Time> expires_at;
  std::optional<CardWord> last_intent;
  int64_t seq = 0;
  std::optional<Text<2000>> note;
  std::optional<CardError> error;
  std::optional<CardAwaiting> awaiting;
  std::optional<MessageId> supersedes;
  std::optional<MessageId> superseded_by;
  std::optional<OwnTransitions> allowed_transitions;
  Omit<Time> due_at;
  std::optional<bool> open;  // missing only in rows of older releases
  Omit<List<CardWord, 64>> allowed;

  static constexpr void Fields(auto& field) {
    using T = Card;
    field("messageId", &T::message_id, "the ACTION message it belongs to");
    field("type", &T::type, "the kind of card (docs/cards.md)");
    field("payload", &T::payload, "the payload, with totals computed by the server");
    field("state", &T::state, "its state");
    field("version", &T::version, "1, and one higher with each transition");
    field("createdBy", &T::created_by, "its author");
    field("createdAt", &T::created_at, "time of opening");
    field("updatedAt", &T::updated_at, "time of the last change");
    field("expiresAt", &T::expires_at,
          "end unless it is answered; null once it was answered (escalating is not an answer)");
    field("lastIntent", &T::last_intent, "the intent that led to its state");
    field("seq", &T::seq, "seq of its last change");
    field("note", &T::note, "the note given with the last intent");
    field("error", &T::error, "the reason why the last outside effect failed");
    field("awaiting", &T::awaiting,
          "the outside effect it waits for; until then it stays in its former state");
    field("supersedes", &T::supersedes, "the card that this one replaced");
    field("supersededBy", &T::superseded_by, "the card that replaced it");
    field("allowedTransitions", &T::allowed_transitions, "the card's own transitions, if any");
    field("dueAt", &T::due_at, "end, answered or not, unless it is final by then; left out: none");
    field("open", &T::open, "true: it waits for an answer");
    field("allowed", &T::allowed, "in replies: the intents open to the caller");
  }
};

// The part of a card that a message of type action shows.
struct MessageAction {
  CardWord type;
  Json payload;
  CardWord state;
  int64_t version = 1;

  static constexpr void Fields(auto& field) {
    using T = MessageAction;
    field("type", &T::type, "the card's type");
    field("payload", &T::payload, "the card's payload");
    field("state", &T::state, "the card's state");
    field("version", &T::version, "the card's version");
  }
};

// One entry of the feed that a tenant's back end pulls.
struct OutboxItem {
  Text<128> effect_id;
  CardWord effect;
  bool awaits = false;
  ThreadId thread_id;
  MessageId message_id;
  CardWord type;
  CardWord intent;
  CardWord from_state;
  CardWord to_state;
  int64_t version = 0;
  Json payload;
  std::optional<Json> data;
  std::optional<UserId> actor_user_id;
  std::optional<LbgId> lbg_id;
  std::optional<LegId> leg_id;
  std::optional<CardWord> doc_id;
  std::optional<CardWord> amendment_id;
  Time at;

  static constexpr void Fields(auto& field) {
    using T = OutboxItem;
    field("effectId", &T::effect_id,
          "names the effect; never changes, so that carrying it out twice can be detected");
    field("effect", &T::effect, "the effect, or the reported event");
    field("awaits", &T::awaits, "true: the card waits for card.resolve; false: outbox.ack is enough");
    field("threadId", &T::thread_id, "the thread");
    field("messageId", &T::message_id, "the card, or the message that reports it");
    field("type", &T::type, "the card's type; empty if the effect is about the thread");
    field("intent", &T::intent, "the intent");
    field("fromState", &T::from_state, "state before");
    field("toState", &T::to_state, "the state once it is done");
    field("version", &T::version, "the card's version at that moment");
    field("payload", &T::payload, "the card's payload");
    field("data", &T::data, "the intent's arguments");
    field("actorUserId", &T::actor_user_id, "the author of the intent; null for the clock and services");
    field("lbgId", &T::lbg_id, "the thread's");
    field("legId", &T::leg_id,
          "the thread's; if the thread has only an LBG, the one that the card names, or null");
    field("docId", &T::doc_id, "named by the outcome of an outside effect, else by the payload");
    field("amendmentId", &T::amendment_id,
          "the amendment: named by the outcome of an outside effect, else by the payload");
    field("at", &T::at, "time of the change");
  }
};

}  // namespace parley::protocol
