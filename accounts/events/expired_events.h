// Counts the events that expire before anybody has acknowledged them: a back end that does not fetch what it
// asked for loses it after 30 days, and whoever runs the server can see that.
//
// Thread contract: the item writer's thread, once built.
#pragma once

#include "accounts/events/event.h"
#include "accounts/records/item_fields.h"
#include "protocol/base/metrics.h"

namespace parley::accounts {

class ExpiredEvents {
 public:
  explicit ExpiredEvents(protocol::Metrics& metrics)
      : lost_(metrics.AddCounter("parley_events_expired_total",
                                 "Integration events that expired without having been acknowledged")) {}

  // An item of some table has expired and is removed.
  void Note(const storage::TableDef& def, const Item& item) {
    if (def.name == kEventsTable && TextOf(item, "status") == protocol::NameOf(EventStatus::kUndelivered))
      lost_.Add();
  }

 private:
  protocol::Counter lost_;
};

}  // namespace parley::accounts
