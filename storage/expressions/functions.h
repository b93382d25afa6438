// The functions of conditions, and the legacy comparisons of the same names. Internal to this
// folder.
#pragma once

#include <optional>

#include "storage/expressions/effort.h"

namespace parley::storage {

// S in S, B in B, an element of a set of its type, any element of a list.
bool Contains(const AttributeValue& whole, const AttributeValue& part);
bool BeginsWith(const AttributeValue& whole, const AttributeValue& prefix);
// Characters of S, bytes of B, elements of others; nullopt if values of that type have no size.
std::optional<int64_t> SizeOf(const AttributeValue& value);

// The most steps of each function, estimated cheaply from the sizes of the values.
uint64_t StepsOfEqual(const AttributeValue& a, const AttributeValue& b);
uint64_t StepsOfOrder(const AttributeValue& a, const AttributeValue& b);  // or of BeginsWith
uint64_t StepsOfContains(const AttributeValue& whole, const AttributeValue& part);
uint64_t StepsOfSize(const AttributeValue& value);

}  // namespace parley::storage
