// Serves other features: stores an event that no entry of the change log reports, and says which events a
// tenant wants.
#pragma once

#include "accounts/records/records.h"
#include "accounts/tenants/tenant.h"
#include "protocol/events.h"
#include "threads/model/change.h"

namespace parley::features {

// The events that become integration events. Any thread.
protocol::EventKindSet EventKindsOf(const accounts::Tenant& tenant);

// Adds the row of one event; the decision commits. On the item writer's thread. Returns false if its item was
// too large and was left out.
bool PutEventRow(accounts::RecordTransaction& tx, const threads::ChangeEntry& entry,
                 const threads::SubscribedEvent& event, protocol::Time at);

}  // namespace parley::features
