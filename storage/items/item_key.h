// Encodes key values as part of a physical key: order-preserving and self-terminating, so that parts can
// follow one another. Format: storage/FORMAT.md, "Items".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "storage/items/attribute.h"

namespace parley::storage {

// REQUIRES: an S, N or B.
void AppendKeyPart(const AttributeValue& value, std::string* out);
// Takes a part of this type from the front of *bytes; returns false if it is missing.
bool TakeKeyPart(AttributeType type, std::string_view* bytes, AttributeValue* out);
// The same, without reading the value.
bool SkipKeyPart(AttributeType type, std::string_view* bytes);
// Appends the common prefix of all parts whose values begin with `prefix`. REQUIRES: an S or B.
void AppendKeyPrefix(const AttributeValue& prefix, std::string* out);

inline bool IsKeyType(AttributeType type) {
  return type == AttributeType::kString || type == AttributeType::kNumber || type == AttributeType::kBinary;
}

}  // namespace parley::storage
