// The transition table of action cards: their kinds, the states of each, who may make each transition, and
// which outside effect it has. It is data, in card_kinds.cc, and no other code names a state: the machine
// (cards/machine.h), the payload checks (cards/payload.h) and docs/cards.md (cards/manual.h) all read it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "protocol/cards.h"
#include "threads/model/card_schemas.h"

namespace parley::threads {

using protocol::CardActor;

// The parts of the tenant's back end, by subject. A tenant lists the ports that its back end serves.
enum class CardPort : uint8_t { kNone, kBooking, kPayment, kCases, kScan, kEvents };
inline constexpr std::string_view kCardPortNames[] = {"", "booking", "payment", "cases", "scan", "events"};
using CardPorts = uint8_t;  // a set, bit (1 << port)
constexpr bool Serves(CardPorts ports, CardPort port) {
  return port != CardPort::kNone && (ports >> static_cast<int>(port) & 1) != 0;
}

// The outside effect of a transition. A gate keeps the card in its former state until the back end answers;
// the back end is notified of any other effect, and nothing waits for it. If the port is not served, no
// effect is sent.
struct CardEffect {
  CardPort port = CardPort::kNone;
  std::string_view name;
  bool gate = false;
};

// Kinds of cards that must not be open for the same booking at that moment.
enum CardObstacle : uint8_t { kNothing = 0, kOpenReschedule = 1, kOpenDispute = 2 };

// The `data` that card.act takes.
enum class CardData : uint8_t {
  kNote,     // at most a note
  kPayload,  // a new payload
  kCounter,  // the payload of another card of the kind, which supersedes this one
};

struct CardTransition {
  std::string_view from, intent, to;
  CardActor by = CardActor::kCounterpart;
  CardEffect effect = {};
  uint8_t unless = kNothing;
  CardData data = CardData::kNote;
  bool revision = false;   // counts towards the payload's maxRevisions
  CardEffect also = {};    // a second effect, never a gate; for transitions that end a card
  bool keeps_end = false;  // not an answer: the card keeps the time when it lapses
};

struct CardKind {
  std::string_view type;        // as stored
  std::string_view alias = {};  // a second name that card.create accepts; "" if it has only one
  std::string_view category;    // in the audit record and the documents
  std::string_view title;       // in system messages and previews
  std::string_view first;       // the state of a new card
  std::vector<std::string_view> finals = {};
  CardActor creator = CardActor::kParty;  // kBuyer, kSeller, kParty or kAnyone
  const Schema* payload = nullptr;
  std::vector<CardTransition> transitions = {};
  CardEffect on_open = {};
  CardEffect also_on_open = {};
  uint8_t unless = kNothing;  // the open cards that prevent it from being opened
  bool proposal = false;      // counts towards the limit of pending proposals for a booking
  bool single = false;        // only one may be open for a booking: a new one by the other side supersedes it
  bool lapses = true;         // may have a due time, after which it is EXPIRED unless it was answered
  bool own = true;      // may bring its own transitions; false if rules across cards depend on its states
  bool pinned = false;  // its message is pinned while it is open
  bool confidential = false;  // only its creator and staff see it and its messages
  size_t reserve = 0;  // how many more may be opened when the thread has reached its limit of open cards
  // For a card that is an intent on another card: opening it applies `applies[type of that card]`.
  std::vector<std::pair<std::string_view, std::string_view>> applies = {};
};

inline constexpr std::string_view kExpired = "EXPIRED";
inline constexpr std::string_view kSuperseded = "SUPERSEDED";
// The first state of cards that bring their own transitions.
inline constexpr std::string_view kCustomFirst = "PENDING";
inline constexpr std::string_view kReschedule = "RESCHEDULE";
inline constexpr std::string_view kDispute = "DISPUTE_OPEN";
inline constexpr std::string_view kSafety = "SAFETY";
inline constexpr std::string_view kShareLocation = "SHARE_LOCATION";
inline constexpr size_t kMaxPendingProposals = 3;

const std::vector<CardKind>& CardKinds();
// Finds a kind by its type or alias; nullptr for a tenant's custom type.
const CardKind* FindKind(std::string_view type);
// Whether `type` is a valid name for a tenant's custom type: capitals, digits, underscores.
bool IsCustomType(std::string_view type);

}  // namespace parley::threads
