// Verifies the table engine: recomputes from the items alone every index entry, guard, expiry place and
// statistics row of every table of every tenant, with its own code rather than the writer's, and reports each
// difference as a sentence. It also checks rows that belong to no item: definitions of tables, tokens,
// records of work, rows without a table.
//
// Memory: the definitions of tables, and kLooksTogether rows. The store is walked once in key order; rows
// that an item requires, or that an entry points to, are looked up in batches of that size, in the same
// snapshot.
//
// Thread contract: any thread, on a snapshot.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "protocol/base/time.h"
#include "storage/declarations/table_def.h"
#include "storage/table.h"

namespace parley::storage {

inline constexpr size_t kLooksTogether = 64;  // an item may be 400 KB

struct ItemCheckReport {
  size_t tables = 0;  // those that have rows
  size_t items = 0;
  size_t entries = 0;
  size_t guards = 0;
  size_t places = 0;
  size_t tokens = 0;
  // Places whose item is missing or expires at another time; the sweeper discards them when they are due.
  // They remain after a table's TTL attribute changed or the table was dropped.
  size_t stale_places = 0;
  // Differences that work in progress explains: missing entries of an index that is being filled, and places
  // while items get other times.
  size_t not_judged = 0;
};

// `seeds`: the declared tables. The status is storage's; if it is not ok, disregard the report.
Status CheckItems(const Reader& snapshot, const std::vector<TableDefPtr>& seeds, protocol::Time now,
                  const std::function<void(const std::string&)>& differs, ItemCheckReport* report);

}  // namespace parley::storage
