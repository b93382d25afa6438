// Reads of items: by key, by pages of a table or an index. What has expired reads as missing, in every path.
//
// Thread contract: any thread; the reader decides whether a read may wait for the disk. A fault kNotInMemory
// says that it would have had to.
#pragma once

#include <optional>
#include <vector>

#include "storage/engine/item_change.h"
#include "storage/expressions/expressions.h"

namespace parley::storage {

struct ItemReads {
  const Reader& reader;
  TenantId tenant;
  protocol::Time now;
};

MaybeFault ReadItem(const ItemReads& reads, const TableDef& def, const KeyValues& key,
                    std::optional<Item>* out);

inline constexpr size_t kPageBytesMax = size_t{1} << 20;  // ItemSize of what a page has looked at
// Of work for a page (expressions/effort.h): it ends before an item for which too few are left. Its first
// item may take more, so that every page gets on; what needs even more for one item is refused.
inline constexpr uint64_t kPageStepsMax = 32'000'000;
inline constexpr uint64_t kFirstItemStepsMax = 4 * kPageStepsMax;

struct PageRequest {
  const IndexDef* index = nullptr;  // none: the table itself
  std::optional<KeyCondition> key;  // none: all of the segment
  uint32_t segment = 0, segments = 1;
  bool forward = true;
  size_t limit = 0;           // items looked at; 0: as many as the page has room for
  std::optional<Item> start;  // behind this key (ExclusiveStartKey): the index's and the table's attributes
  Condition filter;
  bool count_only = false;
  bool whole_items = false;   // of an index that holds less
  bool hide_secrets = false;  // they are not there, for the filter either
  size_t page_bytes = kPageBytesMax;
  uint64_t page_steps = kPageStepsMax;
  uint64_t steps_each = 0;  // that are made with each item that the page tells, once it is there
};
struct ItemPage {
  std::vector<Item> items;
  size_t count = 0;          // that passed the filter
  size_t scanned = 0;        // looked at
  size_t bytes = 0;          // ItemSize of what was looked at
  uint64_t steps = 0;        // of work that it took
  std::optional<Item> last;  // where the next page goes on (LastEvaluatedKey); none: this was the last
};
// What an index's entry holds of an item.
Item Projected(const TableDef& def, const IndexDef& index, Item item);
MaybeFault ReadPage(const ItemReads& reads, const TableDef& def, const PageRequest& request, ItemPage* out);

}  // namespace parley::storage
