// One legacy comparison, checked and as a tree. Internal to this folder.
#pragma once

#include <vector>

#include "storage/expressions/legacy.h"
#include "storage/expressions/node.h"

namespace parley::storage {

// Where a name is not one that an attribute can have.
Fault AttributeNameFault(const std::string& name);
// The name, the number of values, their types, and the order of bounds.
Fault ComparisonFault(const LegacyComparison& comparison);
// REQUIRES: no ComparisonFault.
Node NodeOf(const LegacyComparison& comparison);
KeyPart KeyPartOf(const LegacyComparison& comparison);

// All of `nodes` or, with `any`, one of them; nothing at all for none.
Condition Joined(std::vector<Node> nodes, bool any);

}  // namespace parley::storage
