// The machine: which intents a card takes in its state, from whom, and what stands in the way. Pure functions
// of the card, its thread's head, and the caller; the states themselves are in kinds.cc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "threads/access.h"
#include "threads/cards/kinds.h"
#include "threads/row_reader.h"

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

// Buyer or seller of the thread: the two that a card binds.
bool IsParty(const ThreadRow& head, const std::optional<UserId>& user);

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
std::string_view BookingOf(const OpenCard& card);
// Whether what holds for the one holds for the other: they are the same, or one of them is all there is.
bool Concern(std::string_view booking, std::string_view other);

// What of the same booking stands in the way; ok when nothing does.
protocol::Status CheckObstacles(const ThreadRow& head, uint8_t unless, std::string_view booking);
const std::vector<OpenCard>& OpenCardsOf(const ThreadRow& head);
const OpenCard* FindOpen(const ThreadRow& head, std::string_view type);
// The first that concerns the booking.
const OpenCard* FindOpen(const ThreadRow& head, std::string_view type, std::string_view booking);
// An open card that is a case: one was opened for it outside, or support may decide it as it stands. As long
// as it is open, staff that is bound to cases looks into the thread.
const OpenCard* FindCase(const ThreadRow& head);
// When the earliest of the thread's open cards lapses.
std::optional<protocol::Time> NextDue(const ThreadRow& head);
inline bool IsDue(const OpenCard& card, protocol::Time now) {
  return card.due && *card.due <= now;
}
// The head as of `now`: without the cards that are over and not yet written down as such.
ThreadRow HeadAsOf(ThreadRow head, protocol::Time now);

// SAFETY_SOFT_BLOCK while a safety report is open between the caller and the other party: neither writes to
// the other, by whatever op. A card of `type` that is about safety or a dispute is exempt.
protocol::Status RequireNoSafetyReport(const Standing& standing, const Caller& caller,
                                       std::string_view type = {});

// The intents open to the caller, for replies. `standing` is as of `now`.
protocol::List<protocol::CardWord, 64> AllowedFor(const Caller& caller, const Standing& standing,
                                                  const CardRow& card, protocol::Time now);

}  // namespace parley::threads
