// Values in messages: "{N:5}". Internal to this folder.
#pragma once

#include <string>

#include "storage/items/attribute.h"

namespace parley::storage {

std::string TextOf(const AttributeValue& value);  // of other types than S, N and B only the type

}  // namespace parley::storage
