// Returns the heap that the process uses, with any allocator. Any thread.
#pragma once

#include <cstddef>

namespace parley::gateway {

size_t HeapInUse();  // bytes

}  // namespace parley::gateway
