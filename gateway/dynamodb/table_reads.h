// Where the items of a table come from: its own rows, or those that a view is made of. The one place that
// tells the two apart.
#pragma once

#include "gateway/dynamodb/call.h"

namespace parley::gateway {

// As storage::ReadItem and storage::ReadPage.
storage::MaybeFault FetchItem(const storage::ItemReads& reads, const storage::TableDef& def,
                              const storage::KeyValues& key, std::optional<storage::Item>* out);
storage::MaybeFault FetchPage(const storage::ItemReads& reads, const storage::TableDef& def,
                              const storage::PageRequest& request, storage::ItemPage* out);

// As Read, of pages of `index` (nullptr: of the table): one that fan-out keeps includes everything that was
// acknowledged before the request came, or the request is refused. Thread contract: as Read.
void ReadIndexed(const DynamoCall& call, const storage::TableDef& def, const storage::IndexDef* index,
                 ItemRead read);

}  // namespace parley::gateway
