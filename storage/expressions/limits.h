// What bounds an expression (Amazon DynamoDB Developer Guide, "Service quotas"), so that each is parsed in
// time linear in its text and by recursion of a known depth.
#pragma once

#include <cstddef>

namespace parley::storage {

inline constexpr size_t kExpressionBytesMax = 4096;
inline constexpr size_t kOperatorsMax = 300;
inline constexpr size_t kInOperandsMax = 100;
inline constexpr size_t kPathStepsMax = 32;
inline constexpr size_t kListPositionMax = 2'147'483'647;
inline constexpr size_t kPlaceholderBytesMax = 255;  // of a name's, with its '#'
// Of all names and values that a request gives, and of all names that one expression is expanded by.
inline constexpr size_t kSubstitutedBytesMax = 2 * 1024 * 1024;
// Of parentheses, NOTs and calls within each other. A valid expression has fewer: each level that is not
// redundant has an operator.
inline constexpr size_t kParseDepthMax = 320;

}  // namespace parley::storage
