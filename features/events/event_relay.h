// Hands domain events on to the tenants' back ends: reads from the change log what tenants asked to be told
// of (threads/model/change.h, ToldEvent) and has the item writer make rows of it, exactly once
// (log_relay.h, event_rows.h). Which kinds a tenant wants is decided where the change is decided, so an event
// is wanted or not as of that moment, however late it is read here.
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
