// Stores domain events as items of the table `Events`: each event of the change log becomes one row, in a
// decision of the item writer that also stores the relay's place in the log.
//
// Exactly once: the rows and the place reach the disk together or not at all, and a decision skips entries
// that the place includes. So an event that is read again, after a crash between two steps or because its
// write was requested twice, makes no second row, and an acknowledged or deleted event does not come back.
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

// The position up to which the log has become rows. `last`: the time of the newest row, which no later row
// precedes.
struct RelayPlace {
  storage::Position position = 0;
  protocol::Time last;
};
storage::Status ReadRelayPlace(const storage::Reader& reader, RelayPlace* out);

// A decision: stores the entries in order, and the place `through`.
fanout::RelayOutcome WriteEventRows(storage::ItemTransaction& tx,
                                    const std::vector<fanout::RelayedEntry>& entries,
                                    storage::Position through);

// {type, tenant, threadId, seq, at, item}: `threadId` and `seq` only if a thread changed, `auditId` if the
// event reports an act, `attachmentId` and `changeId` if it reports an upload, `onlyFor` if it is visible to
// one user and staff, telemetry if it has names (telemetry.h). If it is too large, the item is left out and
// `cut` is set.
accounts::Item DomainPayload(const threads::ChangeEntry& entry, const threads::SubscribedEvent& event,
                             bool* cut);

}  // namespace parley::features
