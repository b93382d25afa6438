// Whether a text has the format that a rule asks for. Pure functions.
#pragma once

#include <string_view>

#include "storage/declarations/table_def.h"

namespace parley::storage {

bool HasFormat(AttributeRule::Format format, std::string_view text);
// What to say about a text that has it not: "must be a UUID".
std::string_view Describe(AttributeRule::Format format);

}  // namespace parley::storage
