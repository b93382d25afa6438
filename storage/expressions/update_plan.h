// What an update does, in the order in which it was written. Internal to this folder.
#pragma once

#include <vector>

#include "storage/expressions/node.h"

namespace parley::storage {

struct UpdateAction {
  enum class Kind : uint8_t {
    kSet,
    kRemove,
    kAdd,       // to a number or a set
    kSubtract,  // elements from a set
  };
  Kind kind = Kind::kSet;
  Path path;
  Node value;  // but of kRemove
};

struct Update::Plan {
  std::vector<UpdateAction> actions;
  bool legacy = false;        // made of AttributeUpdates: ADD appends to lists, and faults have other words
  std::vector<Path> touched;  // the paths of the actions, sorted by ComesBefore

  // Once all actions are there.
  void Finish();
};

// One change of an item, computed from the item as it was.
struct Edit {
  const Path* path = nullptr;
  std::optional<AttributeValue> value;  // nullopt: remove what is there
};
// Positions are those before all of the edits. REQUIRES: paths that do not overlap, and whose parents are
// there.
void ApplyEdits(std::vector<Edit> edits, Item* item);

}  // namespace parley::storage
