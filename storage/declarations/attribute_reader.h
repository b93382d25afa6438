// Reads rules of attributes from JSON. Part of load.cc.
#pragma once

#include <optional>
#include <string_view>

#include "storage/declarations/object_reader.h"
#include "storage/declarations/table_def.h"

namespace parley::storage {

AttributeRule ReadAttribute(ObjectReader& reader);
// Returns nullopt if the member is missing.
std::optional<AttributeIs> ReadCondition(ObjectReader& reader, std::string_view name);

}  // namespace parley::storage
