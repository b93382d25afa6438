// What the functions of conditions, and the legacy comparisons of the same names, mean. Internal to this
// folder.
#pragma once

#include <optional>

#include "storage/items/attribute.h"

namespace parley::storage {

// S in S, B in B, an element of a set of its type, any element of a list.
bool Contains(const AttributeValue& whole, const AttributeValue& part);
bool BeginsWith(const AttributeValue& whole, const AttributeValue& prefix);
// Characters of S, bytes of B, elements of the rest; nullopt: values of that type have no size.
std::optional<int64_t> SizeOf(const AttributeValue& value);

}  // namespace parley::storage
