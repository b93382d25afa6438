#include "features/events/expired_events.h"

#include "accounts/records/item_fields.h"
#include "features/events/event.h"

namespace parley::features {

OnExpiredItem AddExpiredEvents(protocol::Metrics& metrics) {
  auto lost = metrics.AddCounter("parley_events_expired_total",
                                 "Integration events that expired without having been acknowledged");
  return [lost](const storage::TableDef& def, const storage::Item& item) mutable {
    if (def.name == kEventsTable &&
        accounts::TextOf(item, "status") == protocol::NameOf(EventStatus::kUndelivered))
      lost.Add();
  };
}

}  // namespace parley::features
