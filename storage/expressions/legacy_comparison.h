// Checks one legacy comparison and converts it to a tree. Internal to this folder.
#pragma once

#include <vector>

#include "storage/expressions/legacy.h"
#include "storage/expressions/node.h"

namespace parley::storage {

Fault InvalidValues(const std::string& what);
// Returns a fault if an attribute cannot have this name.
Fault AttributeNameFault(const std::string& name);
// Checks the name, the number of values, their types, and the order of bounds.
Fault ComparisonFault(const LegacyComparison& comparison);
// REQUIRES: no ComparisonFault.
Node NodeOf(const LegacyComparison& comparison);
KeyPart KeyPartOf(const LegacyComparison& comparison);

// The conjunction of `nodes` or, with `any`, their disjunction; always true for none.
Condition Joined(std::vector<Node> nodes, bool any);

}  // namespace parley::storage
