// The actions of an update, in the order of its text. Internal to this folder.
#pragma once

#include <vector>

#include "storage/expressions/node.h"

namespace parley::storage {

constexpr bool IsSet(AttributeType type) {
  return type >= AttributeType::kStringSet;
}

struct UpdateAction {
  enum class Kind : uint8_t {
    kSet,
    kRemove,
    kAdd,       // to a number or a set
    kSubtract,  // elements from a set
  };
  Kind kind = Kind::kSet;
  Path path;
  Node value;  // except for kRemove
};

struct Update::Plan {
  std::vector<UpdateAction> actions;
  bool legacy = false;        // from AttributeUpdates: ADD appends to lists, and faults have other words
  std::vector<Path> touched;  // the paths of the actions, sorted by ComesBefore

  // Call it after the last action.
  void Finish();
};

// One change of an item, computed from the item as it was.
struct Edit {
  const Path* path = nullptr;
  std::optional<AttributeValue> value;  // nullopt: remove the present one
};
// Positions are those before all edits. REQUIRES: the paths do not overlap, and their parents
// exist.
void ApplyEdits(std::vector<Edit> edits, Item* item);

}  // namespace parley::storage
