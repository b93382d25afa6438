// The transition table of action cards: which kinds there are, which states each has, who may move it where,
// and which outside effect that has. It is data, in card_kinds.cc, and no other code names a state; the
// machine (machine.h), the payload checks (payload.h) and docs/cards.md (manual.h) all read it. People read
// it as docs/cards.md.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "protocol/cards.h"
#include "threads/model/card_schemas.h"

namespace parley::threads {

using protocol::CardActor;

// The tenant's back end, by subject. A tenant says which ports its back end serves.
enum class CardPort : uint8_t { kNone, kBooking, kPayment, kCases, kScan, kEvents };
inline constexpr std::string_view kCardPortNames[] = {"", "booking", "payment", "cases", "scan", "events"};
using CardPorts = uint8_t;  // a set, bit (1 << port)
constexpr bool Serves(CardPorts ports, CardPort port) {
  return port != CardPort::kNone && (ports >> static_cast<int>(port) & 1) != 0;
}

// The outside effect of a transition. A gate holds the card in its former state until the answer comes; any
// other effect is told, and nothing waits for it. If the port is not served, nothing is asked.
struct CardEffect {
  CardPort port = CardPort::kNone;
  std::string_view name;
  bool gate = false;
};

// What must not be open for the same booking at that moment.
enum CardObstacle : uint8_t { kNothing = 0, kOpenReschedule = 1, kOpenDispute = 2 };

// What `data` of card.act is.
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
  CardEffect also = {};    // told in addition; for transitions that end a card
  bool keeps_end = false;  // no answer: the card lapses when it would have anyway
};

struct CardKind {
  std::string_view type;        // as stored
  std::string_view alias = {};  // another name that card.create takes; "" for none
  std::string_view category;    // as the audit record and the documents name it
  std::string_view title;       // in system messages and previews
  std::string_view first;       // the state it is opened in
  std::vector<std::string_view> finals = {};
  CardActor creator = CardActor::kParty;  // kBuyer, kSeller, kParty or kAnyone
  const Schema* payload = nullptr;
  std::vector<CardTransition> transitions = {};
  CardEffect on_open = {};
  CardEffect also_on_open = {};
  uint8_t unless = kNothing;  // what prevents it from being opened
  bool proposal = false;      // counts towards the proposals that may be pending for a booking
  bool single = false;        // one open at a time for a booking: another one by the other side supersedes it
  bool lapses = true;         // may be given an end, after which it is EXPIRED if nobody answered
  bool own = true;            // may bring its own transitions; not if rules across cards depend on its states
  bool pinned = false;        // its message is pinned while it is open
  bool confidential = false;  // it and everything said about it go to its creator and to staff only
  size_t reserve = 0;         // how many may be opened when the thread already holds its limit of cards
  // A card that is an intent on another: opening it applies `applies[type of that card]`.
  std::vector<std::pair<std::string_view, std::string_view>> applies = {};
};

inline constexpr std::string_view kExpired = "EXPIRED";
inline constexpr std::string_view kSuperseded = "SUPERSEDED";
inline constexpr std::string_view kCustomFirst = "PENDING";  // for cards that bring their own transitions
inline constexpr std::string_view kReschedule = "RESCHEDULE";
inline constexpr std::string_view kDispute = "DISPUTE_OPEN";
inline constexpr std::string_view kSafety = "SAFETY";
inline constexpr std::string_view kShareLocation = "SHARE_LOCATION";
inline constexpr size_t kMaxPendingProposals = 3;

const std::vector<CardKind>& CardKinds();
// By type or alias; nullptr for a tenant's custom type.
const CardKind* FindKind(std::string_view type);
// Whether `type` is a valid name for a tenant's custom type: capitals, digits, underscores.
bool IsCustomType(std::string_view type);

}  // namespace parley::threads
