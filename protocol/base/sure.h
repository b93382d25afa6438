// Taking the value of an optional of which the code around it knows that there is one. If there is none after
// all, the process ends and says where, instead of going on with memory that nobody wrote.
//
// What comes from outside is never sure: it is looked at, and refused.
#pragma once

#include <optional>
#include <utility>

namespace parley::protocol {

[[noreturn]] void EndUnsure(const char* file, int line);

template <class T>
const T& Sure(const std::optional<T>& value, const char* file = __builtin_FILE(),
              int line = __builtin_LINE()) {
  if (!value.has_value()) EndUnsure(file, line);
  return *value;
}
template <class T>
T& Sure(std::optional<T>& value, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (!value.has_value()) EndUnsure(file, line);
  return *value;
}
template <class T>
T Sure(std::optional<T>&& value, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (!value.has_value()) EndUnsure(file, line);
  return *std::move(value);
}

}  // namespace parley::protocol
