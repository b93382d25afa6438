// Asks the processor to load memory that will be needed in a few hundred cycles.
#pragma once

#include <cstddef>

namespace parley::protocol {

inline void Prefetch(const void* at, size_t lines) {
  constexpr size_t kLineBytes = 64;
  for (size_t i = 0; i < lines; ++i) __builtin_prefetch(static_cast<const char*>(at) + i * kLineBytes);
}

}  // namespace parley::protocol
