#include "threads/lifecycle/view.h"

#include "threads/cards/card_view.h"
#include "threads/model/pins.h"

namespace parley::threads {

View ViewOf(const Caller& caller, const protocol::Thread& thread, protocol::Time now) {
  return {now, BandMaxOf(caller, thread)};
}

std::string WireAsSeen(protocol::EventKind kind, std::string_view wire, const View& view) {
  if (kind == protocol::EventKind::kTabUpdated) return ShownTabWire(wire, view.band_max);
  std::string bytes(wire);
  if (kind != protocol::EventKind::kCardUpdated) return bytes;
  protocol::Card card;
  if (!DecodeStored(bytes, &card) || (card.open && !IsLapsed(card, view.now))) return bytes;
  ShowAsOf(&card, view.now);
  return Wire(card);
}

}  // namespace parley::threads
