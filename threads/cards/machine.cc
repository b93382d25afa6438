#include "threads/cards/machine.h"

#include <algorithm>

#include "protocol/base/reason.h"
#include "threads/cards/payload.h"

namespace parley::threads {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Ok;
using protocol::Reason;

Error BadOwn(std::string what) {
  Error error(ErrorCode::kCardInvalid, "allowedTransitions " + what);
  error.fields.emplace_back("allowedTransitions", std::move(what));
  return error;
}

std::string_view FromOf(const protocol::OwnTransition& own, const CardKind* kind) {
  return own.from ? std::string_view(own.from->value) : FirstState(kind);
}

bool InTable(const CardKind& kind, std::string_view state) {
  const auto& rules = kind.transitions;
  return state == kind.first || std::any_of(rules.begin(), rules.end(), [&](const CardTransition& rule) {
           return rule.to == state || rule.from == state;
         });
}

// Whether one of the card's own transitions may replace the table's: it leads to the same state, either from
// the same state or, if the table's transition starts in the first state, from one that is not in the table.
bool StandsFor(const CardKind& kind, const protocol::OwnTransition& own, const CardTransition& rule) {
  if (rule.to != own.to_state.value) return false;
  return rule.from == FromOf(own, &kind) || (rule.from == kind.first && !InTable(kind, FromOf(own, &kind)));
}

// The table's transition that one of the card's own replaces.
const CardTransition* RuleFor(const CardKind* kind, const protocol::OwnTransition& own) {
  if (!kind) return nullptr;
  for (const CardTransition& rule : kind->transitions) {
    if (StandsFor(*kind, own, rule)) return &rule;
  }
  return nullptr;
}

CardMove OwnMove(const CardKind* kind, const protocol::OwnTransition& own) {
  CardMove move{own.to_state.value, own.by.value_or(CardActor::kCounterpart), nullptr};
  move.rule = RuleFor(kind, own);
  if (move.rule) move.by = move.rule->by;
  return move;
}

// Own transitions may lead to the card's own states by any intent. A state of the table keeps its meaning:
// only the table's transition leads to it, with the table's actor and effect, and not an intent that means
// something else in the table. So no payment happens without the buyer's approval, and no `decline` pays.
protocol::Status CheckAgainstTable(const CardKind& kind, const protocol::OwnTransition& own) {
  if (!InTable(kind, own.to_state.value)) return Ok();
  if (!RuleFor(&kind, own)) return BadOwn("reach a state of the table from elsewhere");
  bool named = false, leads_there = false;
  for (const CardTransition& rule : kind.transitions) {
    if (rule.intent != own.intent.value) continue;
    named = true;
    leads_there |= rule.to == own.to_state.value;
  }
  if (named && !leads_there) return BadOwn("lead an intent of the table to another of its states");
  return Ok();
}

bool IsIntentName(std::string_view name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && std::all_of(name.begin(), name.end(), fits);
}

bool IsForOthers(CardActor by) {
  return by == CardActor::kCounterpart || by == CardActor::kParty || by == CardActor::kAnyone;
}

bool IsOutOfReach(std::string_view state) {
  return state == kExpired || state == kSuperseded;
}

protocol::Status CheckNames(const protocol::OwnTransition& own, const CardKind* kind) {
  if (!IsIntentName(own.intent.value) || !IsCustomType(own.to_state.value) ||
      !IsCustomType(FromOf(own, kind)))
    return BadOwn("name states in capitals, intents in small letters");
  if (IsOutOfReach(own.to_state.value) || IsOutOfReach(FromOf(own, kind)))
    return BadOwn("do not lead to EXPIRED or SUPERSEDED, nor out of them");
  return Ok();
}

// Whether the caller is staff who settle cards for the parties.
bool IsSupport(const Caller& caller) {
  return caller.role == Role::kSupport || caller.role == Role::kAdmin;
}

bool MayWrite(const Standing& standing) {
  return standing.me && standing.me->item.permission >= protocol::Permission::kWrite;
}

}  // namespace

Writing WritingOf(std::string_view type) {
  return type == kSafety || type == kDispute ? Writing::kReport : Writing::kContent;
}

std::string_view FirstState(const CardKind* kind) {
  return kind ? kind->first : kCustomFirst;
}

bool IsFinalState(const protocol::Card& card) {
  const std::string& state = card.state.value;
  if (state == kExpired || state == kSuperseded) return true;
  const CardKind* kind = FindKind(card.type.value);
  if (!card.allowed_transitions) {
    return kind && std::find(kind->finals.begin(), kind->finals.end(), state) != kind->finals.end();
  }
  const auto& own = card.allowed_transitions->items;
  return std::none_of(own.begin(), own.end(), [&](const auto& one) { return FromOf(one, kind) == state; });
}

std::vector<std::pair<std::string, CardMove>> MovesFrom(const protocol::Card& card) {
  std::vector<std::pair<std::string, CardMove>> out;
  const CardKind* kind = FindKind(card.type.value);
  if (card.allowed_transitions) {
    for (const protocol::OwnTransition& own : card.allowed_transitions->items) {
      if (FromOf(own, kind) == card.state.value) out.emplace_back(own.intent.value, OwnMove(kind, own));
    }
  } else if (kind) {
    for (const CardTransition& rule : kind->transitions) {
      if (rule.from == card.state.value)
        out.emplace_back(std::string(rule.intent), CardMove{std::string(rule.to), rule.by, &rule});
    }
  }
  return out;
}

std::optional<CardMove> FindMove(const protocol::Card& card, std::string_view intent) {
  for (auto& [name, move] : MovesFrom(card)) {
    if (name == intent) return std::move(move);
  }
  return std::nullopt;
}

protocol::Status CheckOwnTransitions(const CardKind* kind, const protocol::OwnTransitions& own) {
  if (kind && !kind->own) return BadOwn("do not go with this type");
  bool leaves_first = false, for_others = false;
  for (size_t i = 0; i < own.items.size(); ++i) {
    const protocol::OwnTransition& one = own.items[i];
    PARLEY_CHECK_OK(CheckNames(one, kind));
    if (kind) PARLEY_CHECK_OK(CheckAgainstTable(*kind, one));
    const bool first = FromOf(one, kind) == FirstState(kind);
    leaves_first |= first;
    for_others |= first && IsForOthers(OwnMove(kind, one).by);
    for (size_t j = 0; j < i; ++j) {
      if (own.items[j].intent == one.intent && FromOf(own.items[j], kind) == FromOf(one, kind))
        return BadOwn("name an intent twice in one state");
    }
  }
  if (!leaves_first) return BadOwn("do not lead out of the first state");
  // An open card of the kind blocks the other side.
  if (kind && kind->single && !for_others)
    return BadOwn("leave the other side no way out of the first state");
  return Ok();
}

std::optional<protocol::Time> EndOf(const protocol::Card& card) {
  if (!card.expires_at || !card.due_at.value) return card.expires_at ? card.expires_at : card.due_at.value;
  return std::min(*card.expires_at, *card.due_at.value);
}

bool IsLapsed(const protocol::Card& card, protocol::Time now) {
  const auto end = EndOf(card);
  return end && *end <= now && !card.awaiting && IsOpen(card);
}

Permit MayOpen(const Caller& caller, const Standing& standing, const CardKind* kind) {
  if (!MayWrite(standing)) return Permit::kNo;
  const bool party = IsParty(standing.head, caller.user);
  switch (kind ? kind->creator : CardActor::kAnyone) {
    case CardActor::kBuyer:
      return *caller.user == standing.head.item.buyer_user_id ? Permit::kYes : Permit::kNo;
    case CardActor::kSeller:
      return *caller.user == standing.head.item.seller_user_id ? Permit::kYes : Permit::kNo;
    case CardActor::kAnyone:
      return Permit::kYes;
    default:
      return party ? Permit::kYes : Permit::kNo;
  }
}

Permit MayMove(const Caller& caller, const Standing& standing, const protocol::Card& card,
               const CardMove& move) {
  if (move.by == CardActor::kService) return caller.is_service() ? Permit::kYes : Permit::kNo;
  const bool party = MayWrite(standing) && IsParty(standing.head, caller.user);
  const bool creator = MayWrite(standing) && caller.user == card.created_by;
  // Staff act for either side, unless they are a party themselves.
  const bool staff = IsSupport(caller) && !IsParty(standing.head, caller.user) && !creator;
  const protocol::Thread& thread = standing.head.item;
  bool may = false;
  switch (move.by) {
    case CardActor::kCreator:
      may = creator;
      break;
    case CardActor::kCounterpart:
      may = party && !creator;
      break;
    case CardActor::kBuyer:
      may = party && caller.user == thread.buyer_user_id;
      break;
    case CardActor::kSeller:
      may = party && caller.user == thread.seller_user_id;
      break;
    case CardActor::kParty:
      may = party;
      break;
    case CardActor::kAnyone:
      may = MayWrite(standing) && !creator;
      break;
    case CardActor::kSupport:
    case CardActor::kService:
      break;
  }
  // If one user is both buyer and seller, the card has no other side.
  if (may && (move.by == CardActor::kBuyer || move.by == CardActor::kSeller) && creator &&
      thread.buyer_user_id == thread.seller_user_id)
    may = false;
  return may ? Permit::kYes : staff ? Permit::kWithReason : Permit::kNo;
}

std::string BookingOf(const protocol::Thread& thread, const protocol::Json& payload) {
  if (thread.leg_id) return {};
  for (const char* field : {"legId", "orderId"}) {
    const auto id = protocol::LegId::FromText(PayloadText(payload, field));
    if (id) return id->value;
  }
  return {};
}

protocol::Status CheckObstacles(const ThreadRow& head, uint8_t unless, std::string_view booking) {
  if ((unless & kOpenDispute) && FindOpen(head, kDispute, booking))
    return ErrorFor(Reason::kDisputeOpen, "a dispute is open");
  if ((unless & kOpenReschedule) && FindOpen(head, kReschedule, booking))
    return ErrorFor(Reason::kRescheduleOpen, "a reschedule is open");
  return Ok();
}

bool IsCounter(const CardMove& move) {
  return move.rule && move.rule->data == CardData::kCounter;
}

Permit MayWithdraw(const Caller& caller, const Standing& standing) {
  if (caller.is_service()) return Permit::kYes;
  return IsSupport(caller) && !IsParty(standing.head, caller.user) ? Permit::kWithReason : Permit::kNo;
}

protocol::Result<Permit> JudgeMove(const Caller& caller, const Standing& standing, const CardRow& card,
                                   const CardMove& move) {
  if (card.hidden.of_case.value) return ErrorFor(Reason::kCardEndsWithCase, "its case decides it");
  const Permit permit = MayMove(caller, standing, card.item, move);
  if (permit == Permit::kNo) return ErrorFor(Reason::kCardNotYours, "the caller may not decide this");
  // A counter-proposal opens another card, which only a party may do.
  if (IsCounter(move) && !IsParty(standing.head, caller.user))
    return ErrorFor(Reason::kCounterByOtherSide, "only the other side may make a counter-proposal");
  PARLEY_CHECK_OK(RequireMayWrite(standing, caller, WritingOf(card.item.type.value)));
  if (!move.rule) return permit;
  PARLEY_CHECK_OK(
      CheckObstacles(standing.head, move.rule->unless, BookingOf(standing.head.item, card.item.payload)));
  const auto cap = move.rule->revision ? PayloadInt(card.item.payload, "maxRevisions") : std::nullopt;
  if (cap && card.hidden.revisions >= *cap)
    return ErrorFor(Reason::kRevisionsUsed, "all agreed revisions have been requested");
  return permit;
}

protocol::List<protocol::CardWord, 64> AllowedFor(const Caller& caller, const Standing& standing,
                                                  const CardRow& card, protocol::Time now) {
  protocol::List<protocol::CardWord, 64> out;
  if (IsRedacted(card.item) || (standing.me && !MayWrite(standing))) return out;
  if (IsLapsed(card.item, now) || !RequireOpen(standing.head).ok()) return out;
  if (card.item.awaiting) {
    if (MayWithdraw(caller, standing) != Permit::kNo) out.items.push_back({std::string(kWithdraw)});
    return out;
  }
  for (auto& [intent, move] : MovesFrom(card.item)) {
    if (JudgeMove(caller, standing, card, move).ok()) out.items.push_back({intent});
  }
  return out;
}

}  // namespace parley::threads
