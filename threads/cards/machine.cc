#include "threads/cards/machine.h"

#include <algorithm>

namespace parley::threads {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Ok;

Error BadOwn(std::string what) {
  Error error(ErrorCode::kCardInvalid, "allowedTransitions " + what);
  error.fields.emplace_back("allowedTransitions", std::move(what));
  return error;
}

// The transition of the table that one of the card's own stands for.
const CardTransition* RuleFor(const CardKind* kind, const std::string& intent, const std::string& to) {
  if (!kind) return nullptr;
  const CardTransition* found = nullptr;
  int best = 0;
  for (const CardTransition& rule : kind->transitions) {
    const int fit = (rule.to == to ? 2 : 0) + (rule.intent == intent ? 1 : 0);
    if (fit > best) {
      best = fit;
      found = &rule;
    }
  }
  return found;
}

CardMove OwnMove(const CardKind* kind, const protocol::OwnTransition& own) {
  CardMove move{own.to_state.value, own.by.value_or(CardActor::kCounterpart), nullptr};
  move.rule = RuleFor(kind, own.intent.value, own.to_state.value);
  if (move.rule) move.by = move.rule->by;
  return move;
}

bool IsIntentName(std::string_view name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && std::all_of(name.begin(), name.end(), fits);
}

bool Leaves(const protocol::OwnTransition& own, std::string_view state, std::string_view first) {
  return own.from ? own.from->value == state : state == first;
}

// The staff that settles what the parties can not.
bool IsSupport(const Caller& caller) {
  return caller.role == Role::kSupport || caller.role == Role::kAdmin;
}

bool MayWrite(const Standing& standing) {
  return standing.me && standing.me->item.permission >= protocol::Permission::kWrite;
}

}  // namespace

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
  return std::none_of(own.begin(), own.end(),
                      [&](const auto& one) { return Leaves(one, state, FirstState(kind)); });
}

std::vector<std::pair<std::string, CardMove>> MovesFrom(const protocol::Card& card) {
  std::vector<std::pair<std::string, CardMove>> out;
  const CardKind* kind = FindKind(card.type.value);
  if (card.allowed_transitions) {
    for (const protocol::OwnTransition& own : card.allowed_transitions->items) {
      if (Leaves(own, card.state.value, FirstState(kind)))
        out.emplace_back(own.intent.value, OwnMove(kind, own));
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
  if (kind && !kind->applies.empty()) return BadOwn("do not go with this type");
  bool leaves_first = false;
  for (size_t i = 0; i < own.items.size(); ++i) {
    const protocol::OwnTransition& one = own.items[i];
    if (!IsIntentName(one.intent.value) || !IsCustomType(one.to_state.value) ||
        (one.from && !IsCustomType(one.from->value)))
      return BadOwn("name states in capitals, intents in small letters");
    leaves_first |= Leaves(one, FirstState(kind), FirstState(kind));
    for (size_t j = 0; j < i; ++j) {
      const std::string_view from = one.from ? one.from->value : FirstState(kind);
      if (own.items[j].intent == one.intent && Leaves(own.items[j], from, FirstState(kind)))
        return BadOwn("name an intent twice in one state");
    }
  }
  if (!leaves_first) return BadOwn("do not lead out of the first state");
  return Ok();
}

bool IsLapsed(const protocol::Card& card, protocol::Time now) {
  return card.expires_at && *card.expires_at <= now && !card.awaiting && !IsFinalState(card);
}

bool IsParty(const ThreadRow& head, const std::optional<UserId>& user) {
  return user && (*user == head.item.buyer_user_id || *user == head.item.seller_user_id);
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
  // Staff act for either side, unless they are one.
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
  // The other side of a card: when one user is both, nobody is.
  if (may && (move.by == CardActor::kBuyer || move.by == CardActor::kSeller) && creator &&
      thread.buyer_user_id == thread.seller_user_id)
    may = false;
  return may ? Permit::kYes : staff ? Permit::kWithReason : Permit::kNo;
}

const std::vector<OpenCard>& OpenCardsOf(const ThreadRow& head) {
  static const std::vector<OpenCard> none;
  return head.hidden.open_cards.value ? head.hidden.open_cards.value->items : none;
}

std::optional<protocol::Time> NextDue(const ThreadRow& head) {
  std::optional<protocol::Time> next;
  for (const OpenCard& card : OpenCardsOf(head)) {
    if (card.due && (!next || *card.due < *next)) next = card.due;
  }
  return next;
}

const OpenCard* FindOpen(const ThreadRow& head, std::string_view type) {
  for (const OpenCard& card : OpenCardsOf(head)) {
    if (card.type.value == type) return &card;
  }
  return nullptr;
}

protocol::Status CheckObstacles(const ThreadRow& head, uint8_t unless) {
  if ((unless & kOpenDispute) && FindOpen(head, kDispute))
    return Error(ErrorCode::kActionInvalidState, "a dispute is open");
  if ((unless & kOpenReschedule) && FindOpen(head, kReschedule))
    return Error(ErrorCode::kActionInvalidState, "a reschedule is open");
  return Ok();
}

protocol::List<protocol::CardWord, 64> AllowedFor(const Caller& caller, const Standing& standing,
                                                  const protocol::Card& card, protocol::Time now) {
  protocol::List<protocol::CardWord, 64> out;
  if (card.awaiting || IsLapsed(card, now) || !RequireOpen(standing.head).ok()) return out;
  for (auto& [intent, move] : MovesFrom(card)) {
    if (MayMove(caller, standing, card, move) == Permit::kNo) continue;
    if (move.rule && !CheckObstacles(standing.head, move.rule->unless).ok()) continue;
    out.items.push_back({intent});
  }
  return out;
}

}  // namespace parley::threads
