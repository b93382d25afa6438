#include "threads/model/open_cards.h"

#include <algorithm>

#include "threads/model/card_kinds.h"

namespace parley::threads {

std::string_view BookingOf(const OpenCard& card) {
  return card.booking.value ? std::string_view(card.booking.value->value) : std::string_view();
}

bool Concern(std::string_view booking, std::string_view other) {
  return booking == other || booking.empty() || other.empty();
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

const OpenCard* FindOpen(const ThreadRow& head, std::string_view type, std::string_view booking) {
  for (const OpenCard& card : OpenCardsOf(head)) {
    if (card.type.value == type && Concern(BookingOf(card), booking)) return &card;
  }
  return nullptr;
}

namespace {

bool IsCase(const OpenCard& card) {
  const CardKind* kind = FindKind(card.type.value);
  if (!kind) return false;
  if (kind->on_open.port == CardPort::kCases) return true;
  return std::any_of(kind->transitions.begin(), kind->transitions.end(), [&](const CardTransition& rule) {
    return rule.from == card.state.value && rule.by == CardActor::kSupport;
  });
}

}  // namespace

const OpenCard* FindCase(const ThreadRow& head) {
  const auto& open = OpenCardsOf(head);
  const auto found = std::find_if(open.begin(), open.end(), IsCase);
  return found == open.end() ? nullptr : &*found;
}

std::vector<MessageId> CaseCardsOf(const ThreadRow& head) {
  std::vector<MessageId> out;
  for (const OpenCard& card : OpenCardsOf(head)) {
    if (card.type.value == kSafety || card.type.value == kDispute) out.push_back(card.message_id);
  }
  return out;
}

ThreadRow HeadAsOf(ThreadRow head, protocol::Time now) {
  auto& list = head.hidden.open_cards.value;
  if (!list) return head;
  std::erase_if(list->items, [&](const OpenCard& card) { return IsDue(card, now); });
  if (list->items.empty()) list.reset();
  return head;
}

}  // namespace parley::threads
