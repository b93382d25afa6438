// Counts the events that expire before they are acknowledged: a back end that does not fetch its events loses
// them after 30 days, and this metric shows it to the operator.
//
// Thread contract: the item writer's thread, once built.
#pragma once

#include "accounts/records/item_fields.h"
#include "features/events/event.h"
#include "protocol/base/metrics.h"

namespace parley::features {

class ExpiredEvents {
 public:
  explicit ExpiredEvents(protocol::Metrics& metrics)
      : lost_(metrics.AddCounter("parley_events_expired_total",
                                 "Integration events that expired without having been acknowledged")) {}

  // Call with each item of any table that has expired and is removed.
  void Note(const storage::TableDef& def, const storage::Item& item) {
    if (def.name == kEventsTable &&
        accounts::TextOf(item, "status") == protocol::NameOf(EventStatus::kUndelivered))
      lost_.Add();
  }

 private:
  protocol::Counter lost_;
};

}  // namespace parley::features
