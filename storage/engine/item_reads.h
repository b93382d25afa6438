// Reads items: by key, and by pages of a table or an index. An expired item reads as missing on every path.
//
// Thread contract: any thread; the reader decides whether a read may wait for the disk. The fault
// kNotInMemory means that it would have had to.
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

inline constexpr size_t kPageBytesMax = size_t{1} << 20;  // ItemSize of all items that a page has examined
// The work for a page (expressions/effort.h): it ends before an item for which too few steps are left. Its
// first item may use more, so that every page makes progress; if even that is exceeded, the read fails.
inline constexpr uint64_t kPageStepsMax = 32'000'000;
inline constexpr uint64_t kFirstItemStepsMax = 4 * kPageStepsMax;

struct PageRequest {
  const IndexDef* index = nullptr;  // none: the table itself
  std::optional<KeyCondition> key;  // none: the whole segment
  uint32_t segment = 0, segments = 1;
  bool forward = true;
  size_t limit = 0;           // items to examine; 0: as many as fit the page
  std::optional<Item> start;  // after this key (ExclusiveStartKey): the index's and the table's attributes
  Condition filter;
  bool count_only = false;
  bool whole_items = false;   // for an index that contains only parts
  bool hide_secrets = false;  // hides them from the filter, too
  size_t page_bytes = kPageBytesMax;
  uint64_t page_steps = kPageStepsMax;
  uint64_t steps_each = 0;  // steps that each returned item costs later
};
struct ItemPage {
  std::vector<Item> items;
  size_t count = 0;          // items that passed the filter
  size_t scanned = 0;        // items examined
  size_t bytes = 0;          // ItemSize of the items examined
  uint64_t steps = 0;        // work used
  std::optional<Item> last;  // start of the next page (LastEvaluatedKey); none: this was the last
};
// The part of an item that an index's entry contains.
Item Projected(const TableDef& def, const IndexDef& index, Item item);
MaybeFault ReadPage(const ItemReads& reads, const TableDef& def, const PageRequest& request, ItemPage* out);

}  // namespace parley::storage
