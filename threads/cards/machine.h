// The state machine of cards: the intents that a card accepts in its state, their actors and obstacles.
// Pure functions of the card, its thread's head, and the caller; model/card_kinds.cc lists the states.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "threads/model/access.h"
#include "threads/model/card_kinds.h"
#include "threads/model/open_cards.h"
#include "threads/model/row_reader.h"

namespace parley::threads {

// The effect of an intent, by the card's own transitions or by the table's.
struct CardMove {
  std::string to;
  CardActor by = CardActor::kCounterpart;
  // nullptr: one of the card's own transitions, which is not in the table.
  const CardTransition* rule = nullptr;
};

// The kind of writing that a card of the type is: blocks and sanctions do not stop safety reports and
// disputes.
Writing WritingOf(std::string_view type);

std::string_view FirstState(const CardKind* kind);
bool IsFinalState(const protocol::Card& card);
// The last intent of a card whose content staff removed. No other intent has a dot in its name.
inline constexpr std::string_view kRedactIntent = "staff.redact";
// Whether staff removed its content. It accepts no intent any more, but an outside effect that it waits for
// still moves it.
inline bool IsRedacted(const protocol::Card& card) {
  return card.last_intent && card.last_intent->value == kRedactIntent;
}
// Whether the card is in the "action" folder and in the panel.
inline bool IsOpen(const protocol::Card& card) {
  return !IsRedacted(card) && !IsFinalState(card);
}

// Finds the move of an intent from the card's state. A card's own transitions replace the table's, but keep
// the table's actor and effect for the table's states: a transition into such a state requires both, whatever
// its intent is called.
std::optional<CardMove> FindMove(const protocol::Card& card, std::string_view intent);
// All intents of the card's present state.
std::vector<std::pair<std::string, CardMove>> MovesFrom(const protocol::Card& card);

// CARD_INVALID unless the list is consistent and does not redefine the table's intents and states.
protocol::Status CheckOwnTransitions(const CardKind* kind, const protocol::OwnTransitions& own);

// The time when it lapses: the earlier of its expiresAt, which an answer clears, and its dueAt.
std::optional<protocol::Time> EndOf(const protocol::Card& card);
// Whether an open card's end has passed; false while it waits for an outside effect.
bool IsLapsed(const protocol::Card& card, protocol::Time now);

enum class Permit : uint8_t { kNo, kYes, kWithReason };  // kWithReason: staff, who must give a reason
Permit MayOpen(const Caller& caller, const Standing& standing, const CardKind* kind);
Permit MayMove(const Caller& caller, const Standing& standing, const protocol::Card& card,
               const CardMove& move);
// The intent that ends a card's waiting for an outside effect without an answer; for support and the back
// end.
inline constexpr std::string_view kWithdraw = "withdraw";
Permit MayWithdraw(const Caller& caller, const Standing& standing);

// Checks everything that may prevent the move apart from its data: FORBIDDEN, SAFETY_SOFT_BLOCK, or
// ACTION_INVALID_STATE. Both card.act and `allowed` use it, so that they agree.
protocol::Result<Permit> JudgeMove(const Caller& caller, const Standing& standing, const CardRow& card,
                                   const CardMove& move);
bool IsCounter(const CardMove& move);

// The booking that a card concerns: its payload's legId, or else the orderId. Empty: everything that the
// thread is about, as for every card in a thread of one leg.
std::string BookingOf(const protocol::Thread& thread, const protocol::Json& payload);

// Rejects the move if another open card of the same booking prevents it.
protocol::Status CheckObstacles(const ThreadRow& head, uint8_t unless, std::string_view booking);
// The intents that the caller may use, for replies. `standing` is as of `now`.
protocol::List<protocol::CardWord, 64> AllowedFor(const Caller& caller, const Standing& standing,
                                                  const CardRow& card, protocol::Time now);

}  // namespace parley::threads
