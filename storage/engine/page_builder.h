// A page of items while it fills: what was looked at, what the filter let through, and where the next page
// goes on. Whoever has items in order makes their pages with it: the engine of its rows, a view of other
// ones.
//
// Not thread-safe; lives for one read.
#pragma once

#include <optional>

#include "storage/engine/item_reads.h"

namespace parley::storage {

class PageBuilder {
 public:
  // All three outlive it.
  PageBuilder(const TableDef& def, const PageRequest& request, ItemPage* page)
      : def_(def), request_(request), page_(page) {}

  // False: the page is full, perhaps without this item.
  bool Take(Item item);
  // Counts the bytes of a row that was read for an item of which the page has only a part, or none.
  void NoteRead(size_t bytes) { page_->steps += bytes * kStepsPerByteRead; }
  // Of rows that are not shown, such as those that have expired and are not yet swept, a page passes over so
  // many and no more: then it ends, be it empty. `item` needs its keys only.
  bool PassOver(Item item);
  // After the last item. A fault: the first item takes more work than any page may.
  MaybeFault Finish();

 private:
  bool Passes(const Item& item, size_t size);

  const TableDef& def_;
  const PageRequest& request_;
  ItemPage* const page_;
  std::optional<Item> last_;  // that was looked at; none: the last of the page
  size_t passed_ = 0;
  bool more_ = false, too_much_ = false;
};

}  // namespace parley::storage
