// Shortens values and names for messages. Internal to this
// folder.
#pragma once

#include <string>
#include <string_view>

#include "storage/items/attribute.h"

namespace parley::storage {

std::string_view Shown(std::string_view text);  // its beginning, in whole characters
// "{N:5}"; for types other than S, N and B only the type
std::string ShownValue(const AttributeValue& value);

}  // namespace parley::storage
