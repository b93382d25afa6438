// The bounds of an expression (Amazon DynamoDB Developer Guide, "Service quotas"), so that each is parsed in
// time linear in its text and by recursion of a known depth.
#pragma once

#include <cstddef>

namespace parley::storage {

inline constexpr size_t kExpressionBytesMax = 4096;
inline constexpr size_t kOperatorsMax = 300;
inline constexpr size_t kInOperandsMax = 100;
inline constexpr size_t kPathStepsMax = 32;
inline constexpr size_t kListPositionMax = 2'147'483'647;
inline constexpr size_t kPlaceholderBytesMax = 255;  // for a name's, with its '#'
// The total of all names and values of a request, and of all names that one expression is expanded by.
inline constexpr size_t kSubstitutedBytesMax = 2 * 1024 * 1024;
// The depth of nested parentheses, NOTs and calls. A valid expression has less, because each necessary level
// has an operator.
inline constexpr size_t kParseDepthMax = 320;

}  // namespace parley::storage
