// Encodes an item as the bytes of a row. Format: storage/FORMAT.md, "Items".
#pragma once

#include <string>
#include <string_view>

#include "storage/items/attribute.h"

namespace parley::storage {

std::string EncodeItem(const Item& item);
// Returns false for invalid bytes; *out is then unspecified. Bounded by the size of `bytes`, and by
// kNestingMax in depth.
bool DecodeItem(std::string_view bytes, Item* out);
void AppendValue(const AttributeValue& value, std::string* out);
bool TakeValue(std::string_view* bytes, AttributeValue* out);

}  // namespace parley::storage
