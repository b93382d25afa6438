// Action cards as they go over the wire and into rows: the card itself, what of it the ACTION message shows,
// and the outside effect that a tenant's back end is asked for.
#pragma once

#include <optional>
#include <string>

#include "protocol/base/ids.h"
#include "protocol/schema.h"

namespace parley::protocol {

using CardWord = Text<64>;  // a card type, state or intent

// Who may apply an intent.
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

// One line of a card's own transitions, which stand in for the table's.
struct OwnTransition {
  std::optional<CardWord> from;
  CardWord intent;
  CardWord to_state;
  std::optional<CardActor> by;

  static constexpr auto Fields() {
    using T = OwnTransition;
    return std::tuple(Field("from", &T::from, "the state it leaves; the card's first state if not given"),
                      Field("intent", &T::intent, "what is asked for"),
                      Field("toState", &T::to_state, "where it leads"),
                      Field("by", &T::by,
                            "who may; between states of the table the table's word, else the "
                            "counterpart if not given"));
  }
};
inline constexpr size_t kMaxOwnTransitions = 32;
using OwnTransitions = List<OwnTransition, kMaxOwnTransitions>;

// Why an outside effect did not happen.
struct CardError {
  CardWord code;
  Text<500> message;

  static constexpr auto Fields() {
    using T = CardError;
    return std::tuple(Field("code", &T::code, "ACTION_CONFLICT for a clash, else the back end's own"),
                      Field("message", &T::message, "for developers"));
  }
};

// An intent that was taken and waits for the outside.
struct CardAwaiting {
  Text<128> effect_id;
  CardWord effect;
  CardWord intent;
  std::optional<UserId> by;
  Time since;

  static constexpr auto Fields() {
    using T = CardAwaiting;
    return std::tuple(Field("effectId", &T::effect_id, "names the effect in card.resolve"),
                      Field("effect", &T::effect, "what the outside is asked to do"),
                      Field("intent", &T::intent, "what happens to the card when it is done"),
                      Field("by", &T::by, "whose intent it was"), Field("since", &T::since, "asked when"));
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
  Omit<List<CardWord, 64>> allowed;

  static constexpr auto Fields() {
    using T = Card;
    return std::tuple(
        Field("messageId", &T::message_id, "the ACTION message it belongs to"),
        Field("type", &T::type, "which kind of card (docs/cards.md)"),
        Field("payload", &T::payload, "what it is about, totals computed by the server"),
        Field("state", &T::state, "where it stands"),
        Field("version", &T::version, "1, and one more with each transition"),
        Field("createdBy", &T::created_by, "who opened it"),
        Field("createdAt", &T::created_at, "when it was opened"),
        Field("updatedAt", &T::updated_at, "last change"),
        Field("expiresAt", &T::expires_at,
              "when it lapses unanswered; null once it was answered, which escalating it is not"),
        Field("lastIntent", &T::last_intent, "what brought it into its state"),
        Field("seq", &T::seq, "seq of its last change"),
        Field("note", &T::note, "the note given with the last intent"),
        Field("error", &T::error, "why the last outside effect did not happen"),
        Field("awaiting", &T::awaiting,
              "the outside effect it waits for; until then the state is the former"),
        Field("supersedes", &T::supersedes, "the card that this one took the place of"),
        Field("supersededBy", &T::superseded_by, "the card that took its place"),
        Field("allowedTransitions", &T::allowed_transitions, "the card's own transitions, if any"),
        Field("dueAt", &T::due_at,
              "when it lapses unless it is final by then, answered or not; left out: never"),
        Field("allowed", &T::allowed, "in replies: the intents open to the caller"));
  }
};

// What a message of type action shows of its card.
struct MessageAction {
  CardWord type;
  Json payload;
  CardWord state;
  int64_t version = 1;

  static constexpr auto Fields() {
    using T = MessageAction;
    return std::tuple(
        Field("type", &T::type, "the card's type"), Field("payload", &T::payload, "the card's payload"),
        Field("state", &T::state, "the card's state"), Field("version", &T::version, "the card's version"));
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

  static constexpr auto Fields() {
    using T = OutboxItem;
    return std::tuple(
        Field("effectId", &T::effect_id,
              "names the effect; the same for ever, so doing it twice can be told"),
        Field("effect", &T::effect, "what is asked for, or what happened"),
        Field("awaits", &T::awaits, "true: the card waits for card.resolve; false: outbox.ack is enough"),
        Field("threadId", &T::thread_id, "the thread"),
        Field("messageId", &T::message_id, "the card, or the message that tells of it"),
        Field("type", &T::type, "the card's type; empty where it is about the thread"),
        Field("intent", &T::intent, "what was asked of the card"),
        Field("fromState", &T::from_state, "state before"),
        Field("toState", &T::to_state, "state after, once it is done"),
        Field("version", &T::version, "the card's version at that moment"),
        Field("payload", &T::payload, "the card's payload"),
        Field("data", &T::data, "what was given with the intent"),
        Field("actorUserId", &T::actor_user_id, "who asked; null for the clock and services"),
        Field("lbgId", &T::lbg_id, "of the thread"),
        Field("legId", &T::leg_id,
              "of the thread; where it is bound to an LBG only, the one the card names; null where there is "
              "none"),
        Field("docId", &T::doc_id, "named by the outcome of an outside effect, else by the payload"),
        Field("amendmentId", &T::amendment_id, "likewise"), Field("at", &T::at, "when"));
  }
};

}  // namespace parley::protocol
