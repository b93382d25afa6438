// The payload of an event: any JSON object, stored as a map of attributes. Numbers are exact, within the
// limits of attributes; a payload that cannot be stored unchanged is rejected.
//
// Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "protocol/base/result.h"
#include "storage/items/attribute.h"

namespace parley::features {

inline constexpr size_t kPayloadBytesMax = size_t{256} * 1024;  // as JSON

// Whether the text is a JSON object; it may still be one that cannot be stored.
bool IsJsonObject(std::string_view json);
// BAD_REQUEST: no JSON object, nested too deeply, or with a number that has too many digits. TOO_LARGE.
protocol::Result<storage::Item> PayloadFromJson(std::string_view json);
// Appends it as JSON. REQUIRES: made by PayloadFromJson, or equal to a value that it could make.
void AppendJson(const storage::AttributeValue& value, std::string* out);
void AppendJson(const storage::Item& map, std::string* out);

}  // namespace parley::features
