// Serves other features: stores an event that no entry of the change log reports.
//
// Thread contract: the item writer's thread.
#pragma once

#include "accounts/records/records.h"
#include "threads/model/change.h"

namespace parley::features {

// Adds the row of one event; the decision commits. Returns false if its item was too large and was left out.
bool PutEventRow(accounts::RecordTransaction& tx, const threads::ChangeEntry& entry,
                 const threads::SubscribedEvent& event, protocol::Time at);

}  // namespace parley::features
