// Reads the items of a table from its own rows or, for a view, from the rows from which the view is made. The
// only place that distinguishes the two.
#pragma once

#include "gateway/dynamodb/call.h"

namespace parley::gateway {

// See storage::ReadItem and storage::ReadPage.
storage::MaybeFault FetchItem(const storage::ItemReads& reads, const storage::TableDef& def,
                              const storage::KeyValues& key, std::optional<storage::Item>* out);
storage::MaybeFault FetchPage(const storage::ItemReads& reads, const storage::TableDef& def,
                              const storage::PageRequest& request, storage::ItemPage* out);

// Reads like Read, for pages of `index` (nullptr: of the table). Waits until an index of a view includes all
// writes acknowledged before the request, or rejects the request. Thread contract: as Read.
void ReadIndexed(const DynamoCall& call, const storage::TableDef& def, const storage::IndexDef* index,
                 ItemRead read);

}  // namespace parley::gateway
