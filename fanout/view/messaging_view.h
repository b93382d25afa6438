// The table `messaging`: a tenant's threads as items of one table (messaging.json), computed on each read
// from the rows of threads and from the inbox and project indexes. It stores nothing.
//
// Its reader is a back end of the tenant and sees as much as a service without a user. Reads by the table's
// own keys are current. An index is as of its projection's position, so the caller waits for that first
// (Watermark), as for index_reads.h.
//
// A page reads the rows that it returns, a bounded number that it skips, the head of its thread and, if it
// includes tabs, the thread's tabs and open cards.
//
// Thread contract: any thread, each call over the one snapshot of its reader.
#pragma once

#include <optional>

#include "fanout/projection_id.h"
#include "storage/engine/item_reads.h"

namespace parley::fanout {

// Returns the projection that keeps an index of the view.
ProjectionId ProjectionOf(const storage::IndexDef& index);

storage::MaybeFault ReadViewItem(const storage::ItemReads& reads, const storage::KeyValues& key,
                                 std::optional<storage::Item>* out);
// Reads a page of one partition. Rejects a request without a key condition, because a tenant's threads have
// no order for pages over all of them.
storage::MaybeFault ReadViewPage(const storage::ItemReads& reads, const storage::TableDef& def,
                                 const storage::PageRequest& request, storage::ItemPage* out);

}  // namespace parley::fanout
