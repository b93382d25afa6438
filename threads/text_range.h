
#pragma once

#include <cstddef>

namespace parley::threads {

// Bytes [begin, end) of a text.
struct Range {
  size_t begin = 0;
  size_t end = 0;
};

}  // namespace parley::threads
