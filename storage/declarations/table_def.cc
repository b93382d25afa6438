#include "storage/declarations/table_def.h"

#include <algorithm>

namespace parley::storage {

const IndexDef* TableDef::FindIndex(std::string_view index) const {
  const auto found =
      std::find_if(indexes.begin(), indexes.end(), [&](const IndexDef& one) { return one.name == index; });
  return found == indexes.end() ? nullptr : &*found;
}

bool TableDef::IsSecret(std::string_view attribute) const {
  for (const ItemKind& kind : kinds) {
    for (const AttributeRule& rule : kind.attributes) {
      if (rule.secret && rule.name == attribute) return true;
    }
  }
  return false;
}

const KeyAttribute* TableDef::FindKeyAttribute(std::string_view attribute) const {
  const auto within = [&](const KeySchema& schema) {
    const KeyAttribute* found = nullptr;
    schema.Each([&](const KeyAttribute& one, bool) {
      if (one.name == attribute) found = &one;
      return !found;
    });
    return found;
  };
  if (const KeyAttribute* found = within(keys)) return found;
  for (const IndexDef& index : indexes) {
    if (const KeyAttribute* found = within(index.keys)) return found;
  }
  return nullptr;
}

}  // namespace parley::storage
