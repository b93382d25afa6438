// Builds a page of items: counts the examined items, keeps those that pass the filter, and notes the start of
// the next page. Used for every ordered source of items: the engine for its rows, a view for other rows.
//
// Not thread-safe; lives for one read.
#pragma once

#include <optional>

#include "storage/engine/item_reads.h"

namespace parley::storage {

class PageBuilder {
 public:
  // All three must outlive it.
  PageBuilder(const TableDef& def, const PageRequest& request, ItemPage* page)
      : def_(def), request_(request), page_(page) {}

  // Returns false if the page is full, perhaps without this item.
  bool Take(Item item);
  // Counts the bytes of a row that was read for an item that is not, or only in part, on the page.
  void NoteRead(size_t bytes) { page_->steps += bytes * kStepsPerByteRead; }
  // Counts a hidden row, such as an expired one that is not swept yet. A page ends after a number of these,
  // even if it is empty. `item` needs its keys only.
  bool PassOver(Item item);
  // Call after the last item. Returns a fault if the first item takes more work than a page may.
  MaybeFault Finish();

 private:
  bool Passes(const Item& item, size_t size);

  const TableDef& def_;
  const PageRequest& request_;
  ItemPage* const page_;
  std::optional<Item> last_;  // the last item examined; none: the last of the page
  size_t passed_ = 0;
  bool more_ = false, too_much_ = false;
};

}  // namespace parley::storage
