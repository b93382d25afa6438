// Builds keys of items from the templates of their kinds, and parses them.
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
// Keeps the first fault of each attribute.
class AttributeFaults {
 public:
  void Add(std::string_view attribute, std::string_view why);
  const std::vector<AttributeFault>& all() const { return all_; }
  std::vector<AttributeFault> Take() { return std::move(all_); }

 private:
  std::vector<AttributeFault> all_;
};

// Returns the key attributes that `from` (attributes and parts) yields, and reports the missing ones.
Item BuildKeys(const TableDef& def, const ItemKind& kind, const Item& from, AttributeFaults* faults);
// Returns the placeholders' values that the keys in `item` contain, as S; empty if a key is missing or has
// another form.
Item PartsOf(const TableDef& def, const ItemKind& kind, const Item& item);
// Returns the kind of an item with these keys, or nullptr. If several templates match, the one with the most
// literal text wins; among equal ones, the one whose enums the item satisfies.
const ItemKind* FindKind(const TableDef& def, const Item& item);

}  // namespace parley::storage
