// The machine: which intents a card accepts in its state, from whom, and what prevents them. Pure functions
// of the card, its thread's head, and the caller; the states themselves are in kinds.cc.
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

// Where an intent leads, by the card's own transitions or by the table's.
struct CardMove {
  std::string to;
  CardActor by = CardActor::kCounterpart;
  // Null: one of the card's own transitions, which the table does not know.
  const CardTransition* rule = nullptr;
};

// What a card of a type is, to whoever is kept from writing: everybody may report, and open a dispute.
Writing WritingOf(std::string_view type);

std::string_view FirstState(const CardKind* kind);
bool IsFinalState(const protocol::Card& card);
// The last intent of a card whose content staff took away. No intent of anybody's has a dot in its name.
inline constexpr std::string_view kRedactIntent = "staff.redact";
// Whether staff took its content away. Nobody acts on it any more; an outside effect that was asked for still
// moves it.
inline bool IsRedacted(const protocol::Card& card) {
  return card.last_intent && card.last_intent->value == kRedactIntent;
}
// Whether it waits for somebody: it is then in the "action" folder and in the panel.
inline bool IsOpen(const protocol::Card& card) {
  return !IsRedacted(card) && !IsFinalState(card);
}

// A card's own transitions replace the table's. They cannot override what the table says about who may move a
// card into one of its states and which outside effect must come first: a transition into such a state is
// subject to the table's actor and effect, whatever the intent is called.
std::optional<CardMove> FindMove(const protocol::Card& card, std::string_view intent);
// Every intent of the card's present state.
std::vector<std::pair<std::string, CardMove>> MovesFrom(const protocol::Card& card);

// CARD_INVALID unless the list is consistent and does not redefine the table's intents and states.
protocol::Status CheckOwnTransitions(const CardKind* kind, const protocol::OwnTransitions& own);

// When it lapses: at its expiresAt while nobody has answered, at its dueAt while it is open.
std::optional<protocol::Time> EndOf(const protocol::Card& card);
// Past its end.
bool IsLapsed(const protocol::Card& card, protocol::Time now);

enum class Permit : uint8_t { kNo, kYes, kWithReason };  // staff say why
Permit MayOpen(const Caller& caller, const Standing& standing, const CardKind* kind);
Permit MayMove(const Caller& caller, const Standing& standing, const protocol::Card& card,
               const CardMove& move);
// Ends the waiting of a card whose outside effect gets no answer: for support and the back end.
inline constexpr std::string_view kWithdraw = "withdraw";
Permit MayWithdraw(const Caller& caller, const Standing& standing);

// Everything that may prevent the caller from making the move, apart from the data given with it: FORBIDDEN,
// SAFETY_SOFT_BLOCK, or ACTION_INVALID_STATE. Both card.act and `allowed` use this, so that they agree.
protocol::Result<Permit> JudgeMove(const Caller& caller, const Standing& standing, const CardRow& card,
                                   const CardMove& move);
bool IsCounter(const CardMove& move);

// Which booking a card is about: its payload's legId, or else the orderId. Empty: everything that the thread
// is about, as for every card in a thread of one leg.
std::string BookingOf(const protocol::Thread& thread, const protocol::Json& payload);

// Other cards of the same booking that prevent the move; ok when there are none.
protocol::Status CheckObstacles(const ThreadRow& head, uint8_t unless, std::string_view booking);
// The intents open to the caller, for replies. `standing` is as of `now`.
protocol::List<protocol::CardWord, 64> AllowedFor(const Caller& caller, const Standing& standing,
                                                  const CardRow& card, protocol::Time now);

}  // namespace parley::threads
