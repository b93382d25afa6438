#include "threads/cards/card_view.h"

#include "threads/cards/payload.h"

namespace parley::threads {

void ShowAsOf(protocol::Card* card, protocol::Time now) {
  if (!IsLapsed(*card, now)) return;
  card->state.value = kExpired;
  card->payload = ShownPayload(card->type.value, card->payload);
}

std::string WireAsOf(protocol::EventKind kind, std::string_view wire, protocol::Time now) {
  std::string bytes(wire);
  if (kind != protocol::EventKind::kCardUpdated) return bytes;
  protocol::Card card;
  if (!DecodeStored(bytes, &card) || !IsLapsed(card, now)) return bytes;
  ShowAsOf(&card, now);
  return Wire(card);
}

}  // namespace parley::threads
