// Values and names in messages, where neither may be as long as it may be in an item. Internal to this
// folder.
#pragma once

#include <string>
#include <string_view>

#include "storage/items/attribute.h"

namespace parley::storage {

std::string_view Shown(std::string_view text);        // its beginning, in whole characters
std::string ShownValue(const AttributeValue& value);  // "{N:5}"; of other types than S, N and B only the type

}  // namespace parley::storage
