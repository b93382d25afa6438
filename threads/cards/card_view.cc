#include "threads/cards/card_view.h"

#include "threads/cards/payload.h"

namespace parley::threads {

void ShowAsOf(protocol::Card* card, protocol::Time now) {
  if (IsLapsed(*card, now)) {
    card->state.value = kExpired;
    card->payload = ShownPayload(card->type.value, card->payload);
  }
  card->open = IsOpen(*card);
}

}  // namespace parley::threads
