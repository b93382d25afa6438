// Follows the change log for the tenants' back ends: reads the events that tenants subscribe to
// (threads/model/change.h, SubscribedEvent), and has the item writer make rows of them, each exactly once
// (log_relay.h, event_rows.h). Whether a tenant wants an event is decided with the change itself, so a later
// change of its settings does not matter, however late the relay reads.
//
// Thread contract: as LogRelay's.
#pragma once

#include "fanout/log_relay.h"
#include "features/events/event_rows.h"

namespace parley::features {

class EventRelay final : public fanout::LogRelay {
 public:
  EventRelay(storage::Table& table, std::function<bool(storage::ItemJob&)> submit, std::function<void()> wake,
             Settings settings, protocol::Metrics& metrics);
};

}  // namespace parley::features
