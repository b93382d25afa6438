// Takes the value of an optional that the surrounding code knows to be set. If it is empty, the process ends
// and logs the place, instead of continuing with uninitialised memory.
//
// Never use it for external input: check that and return an error.
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
