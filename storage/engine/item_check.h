// The proof of the table engine: works out anew, from the items alone, every index entry, guard, place among
// those that expire and statistics row of every table of every tenant, with code of its own rather than the
// writer's, and tells each difference as a sentence. What belongs to no item is judged too: definitions of
// tables, tokens, records of work, rows that no table has.
//
// Memory: the definitions of tables, and kLooksTogether rows. The store is walked once in key order, and what
// an item asks for, or what an entry leads to, is looked up, so many at a time, under the same snapshot.
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
  size_t tables = 0;  // that have rows
  size_t items = 0;
  size_t entries = 0;
  size_t guards = 0;
  size_t places = 0;
  size_t tokens = 0;
  // Places that lead to no item which expires then; the sweeper discards them when their time comes. They
  // stay behind where a table's TTL attribute was changed, or the table was dropped.
  size_t stale_places = 0;
  // What work in progress leaves open: entries missing in an index that is being filled, and places while
  // items get other times.
  size_t not_judged = 0;
};

// `seeds`: the tables that every tenant has. The status is storage's; if it is not ok, disregard the report.
Status CheckItems(const Reader& snapshot, const std::vector<TableDefPtr>& seeds, protocol::Time now,
                  const std::function<void(const std::string&)>& differs, ItemCheckReport* report);

}  // namespace parley::storage
