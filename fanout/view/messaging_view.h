// The table `messaging`: a tenant's threads as items of one table (messaging.json), made of the
// rows of threads and of the inbox and project indexes whenever they are read. Nothing is kept for it.
//
// Its reader is a back end of the tenant and sees what a service sees that does not act as a user. Reads by
// the table's own keys are current. An index is as of its projection's position: the caller waits for it
// first (Watermark), as for index_reads.h.
//
// A page looks at the rows that it answers, at a bounded number that it passes over, at the head of its
// thread and, where tabs are asked for, at its tabs and open cards.
//
// Thread contract: any thread, each call over the one snapshot of its reader.
#pragma once

#include <optional>

#include "fanout/projection_id.h"
#include "storage/engine/item_reads.h"

namespace parley::fanout {

// Which projection keeps an index of the view.
ProjectionId ProjectionOf(const storage::IndexDef& index);

storage::MaybeFault ReadViewItem(const storage::ItemReads& reads, const storage::KeyValues& key,
                                 std::optional<storage::Item>* out);
// A page of one partition; without a key condition it is refused: a tenant's threads have no order in which
// all of them could be walked in pages.
storage::MaybeFault ReadViewPage(const storage::ItemReads& reads, const storage::TableDef& def,
                                 const storage::PageRequest& request, storage::ItemPage* out);

}  // namespace parley::fanout
