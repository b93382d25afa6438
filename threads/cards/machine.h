// The machine: which intents a card takes in its state, from whom, and what stands in the way. Pure functions
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
  // Null: a transition of the card's own that the table knows nothing of.
  const CardTransition* rule = nullptr;
};

std::string_view FirstState(const CardKind* kind);
bool IsFinalState(const protocol::Card& card);
// Whether it waits for somebody: in the "action" folder and in the panel.
inline bool IsOpen(const protocol::Card& card) {
  return !IsFinalState(card);
}

// A card's own transitions replace the table's. They cannot take away what the table says of who may arrive
// in one of its states and what the outside must do first: where one leads there, the table's actor and
// effect hold, whatever the intent is called.
std::optional<CardMove> FindMove(const protocol::Card& card, std::string_view intent);
// Every intent of the card's present state.
std::vector<std::pair<std::string, CardMove>> MovesFrom(const protocol::Card& card);

// CARD_INVALID unless the list makes sense by itself and leaves the table's intents and states in their
// places.
protocol::Status CheckOwnTransitions(const CardKind* kind, const protocol::OwnTransitions& own);

// When it lapses: its expiresAt as long as nobody has answered, its dueAt as long as it is open.
std::optional<protocol::Time> EndOf(const protocol::Card& card);
// Past its end.
bool IsLapsed(const protocol::Card& card, protocol::Time now);

enum class Permit : uint8_t { kNo, kYes, kWithReason };  // staff say why
Permit MayOpen(const Caller& caller, const Standing& standing, const CardKind* kind);
Permit MayMove(const Caller& caller, const Standing& standing, const protocol::Card& card,
               const CardMove& move);
// Ends the waiting of a card whose outside effect nobody answers for: support's and the back end's.
inline constexpr std::string_view kWithdraw = "withdraw";
Permit MayWithdraw(const Caller& caller, const Standing& standing);

// All that stands between the caller and the move, what he gives with it aside: FORBIDDEN, SAFETY_SOFT_BLOCK,
// or ACTION_INVALID_STATE. What card.act refuses and what `allowed` leaves out are the same by this.
protocol::Result<Permit> JudgeMove(const Caller& caller, const Standing& standing, const CardRow& card,
                                   const CardMove& move);
bool IsCounter(const CardMove& move);

// Which booking a card is about: the legId or else the orderId of its payload. Empty: all that the thread is
// about, as is every card in a thread of one leg.
std::string BookingOf(const protocol::Thread& thread, const protocol::Json& payload);

// What of the same booking stands in the way; ok when nothing does.
protocol::Status CheckObstacles(const ThreadRow& head, uint8_t unless, std::string_view booking);
// The intents open to the caller, for replies. `standing` is as of `now`.
protocol::List<protocol::CardWord, 64> AllowedFor(const Caller& caller, const Standing& standing,
                                                  const CardRow& card, protocol::Time now);

}  // namespace parley::threads
