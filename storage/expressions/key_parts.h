// Comparisons of attributes with values, put against the keys of a table or an index. Internal to this
// folder.
#pragma once

#include <string>
#include <vector>

#include "storage/expressions/expressions.h"

namespace parley::storage {

Fault BindKeyParts(const std::vector<KeyPart>& parts, const KeySchema& keys, KeyCondition* out);

}  // namespace parley::storage
