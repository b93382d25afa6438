// What an event carries: any JSON object, kept as a map of attributes. Numbers are kept exactly, as far as an
// attribute can be one; what cannot be kept as it was sent is refused.
//
// Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "protocol/base/result.h"
#include "storage/items/attribute.h"

namespace parley::accounts {

inline constexpr size_t kPayloadBytesMax = size_t{256} * 1024;  // as JSON

// Whether it is one at all; whether it can be kept is another question.
bool IsJsonObject(std::string_view json);
// BAD_REQUEST: no JSON object, nested too deeply, or with a number that has too many digits. TOO_LARGE.
protocol::Result<storage::Item> PayloadFromJson(std::string_view json);
// Appends it as JSON. REQUIRES: made by PayloadFromJson, or as that would.
void AppendJson(const storage::AttributeValue& value, std::string* out);
void AppendJson(const storage::Item& map, std::string* out);
void AppendJsonText(std::string_view text, std::string* out);

}  // namespace parley::accounts
