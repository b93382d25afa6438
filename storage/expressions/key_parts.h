// Comparisons of attributes with values, put against the keys of a table or an index. Internal to this
// folder.
#pragma once

#include <string>
#include <vector>

#include "storage/expressions/expressions.h"

namespace parley::storage {

// As many as the key of an index has attributes at most. Which index it is, is known only to BindKeyParts.
inline constexpr size_t kKeyPartsMax = 2 * kKeyAttributesMax;
inline constexpr char kOneOrTwoParts[] = "Conditions can be of length 1 or 2 only";

Fault BindKeyParts(const std::vector<KeyPart>& parts, const KeySchema& keys, KeyCondition* out);

}  // namespace parley::storage
