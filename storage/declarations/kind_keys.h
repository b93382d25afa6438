// Keys of items from the templates of their kinds, and back.
#pragma once

#include <string>
#include <vector>

#include "storage/declarations/table_def.h"

namespace parley::storage {

struct AttributeFault {
  std::string attribute;
  std::string why;  // "must be S"
  friend bool operator==(const AttributeFault&, const AttributeFault&) = default;
};
// The first fault of each attribute.
class AttributeFaults {
 public:
  void Add(std::string_view attribute, std::string_view why);
  const std::vector<AttributeFault>& all() const { return all_; }
  std::vector<AttributeFault> Take() { return std::move(all_); }

 private:
  std::vector<AttributeFault> all_;
};

// The key attributes that `from` (attributes and parts) yields; those that it does not are reported.
Item BuildKeys(const TableDef& def, const ItemKind& kind, const Item& from, AttributeFaults* faults);
// What the keys in `item` say about the placeholders of their templates, as S; empty where a key is not there
// or has another form.
Item PartsOf(const TableDef& def, const ItemKind& kind, const Item& item);
// The kind that an item with these keys is of: of several templates that fit, the one with the most text of
// its own; of those alike, the one whose enums the item keeps to. nullptr: none.
const ItemKind* FindKind(const TableDef& def, const Item& item);

}  // namespace parley::storage
