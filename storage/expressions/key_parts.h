// Matches comparisons of attributes with the keys of a table or an index. Internal to this
// folder.
#pragma once

#include <string>
#include <vector>

#include "storage/expressions/expressions.h"

namespace parley::storage {

// The most attributes that the key of an index can have. Only BindKeyParts knows the index.
inline constexpr size_t kKeyPartsMax = 2 * kKeyAttributesMax;
inline constexpr char kOneOrTwoParts[] = "Conditions can be of length 1 or 2 only";

Fault BindKeyParts(const std::vector<KeyPart>& parts, const KeySchema& keys, KeyCondition* out);

}  // namespace parley::storage
