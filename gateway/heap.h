// How much heap the process holds, whichever allocator it was linked with. Any thread.
#pragma once

#include <cstddef>

namespace parley::gateway {

size_t HeapInUse();  // bytes

}  // namespace parley::gateway
