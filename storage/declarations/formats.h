// Checks whether a text has the format that a rule requires. Pure functions.
#pragma once

#include <string_view>

#include "storage/declarations/table_def.h"

namespace parley::storage {

bool HasFormat(AttributeRule::Format format, std::string_view text);
// The fault of a text without this format: "must be a UUID".
std::string_view Describe(AttributeRule::Format format);

}  // namespace parley::storage
