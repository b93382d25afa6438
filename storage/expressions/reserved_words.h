// The words that no expression may use as a bare attribute name (Amazon DynamoDB Developer Guide, "Reserved
// words").
#pragma once

#include <string_view>

namespace parley::storage {

bool IsReservedWord(std::string_view word);  // in any case of letters

}  // namespace parley::storage
