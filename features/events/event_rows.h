// Domain events as items of the table `Events`: what the change log tells for a tenant's back end becomes one
// row each, in a decision of the item writer that also notes how far it has come.
//
// Exactly once: the rows and the place are on disk together or not at all, and a decision passes over what
// the place includes. So an event that is read from the log again, after a crash between two steps or because
// its writing was asked for twice, makes no second row, and none comes back that was acknowledged or deleted
// meanwhile.
//
// Thread contract: pure, but for the transaction.
#pragma once

#include <vector>

#include "fanout/log_relay.h"
#include "features/events/asks.h"
#include "features/events/event.h"
#include "storage/engine/item_transaction.h"
#include "threads/model/change.h"

namespace parley::features {

// How far the log has become rows. `last`: the time of the newest of them, which no later one precedes.
struct RelayPlace {
  storage::Position position = 0;
  protocol::Time last;
};
storage::Status ReadRelayPlace(const storage::Reader& reader, RelayPlace* out);

// A decision: the entries in order, and with them the place `through`.
fanout::RelayOutcome WriteEventRows(storage::ItemTransaction& tx,
                                    const std::vector<fanout::TellingEntry>& entries,
                                    storage::Position through);

// {type, tenant, threadId, seq, at, item}, without `threadId` and `seq` where there is no thread or no change
// of it, `auditId` of an event that tells of an act, `onlyFor` where one user alone (and staff) hears of it,
// and telemetry where there are names (telemetry.h); without the item and with `cut` if it is too large.
accounts::Item DomainPayload(const threads::ChangeEntry& entry, const threads::ToldEvent& event, bool* cut);

}  // namespace parley::features
