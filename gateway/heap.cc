#include "gateway/heap.h"

#include <malloc.h>

// From gperftools, if linked (parleyd); tests and sanitizer builds do without.
extern "C" int MallocExtension_GetNumericProperty(const char* property, size_t* value) __attribute__((weak));

namespace parley::gateway {

size_t HeapInUse() {
  size_t bytes = 0;
  if (MallocExtension_GetNumericProperty &&
      MallocExtension_GetNumericProperty("generic.current_allocated_bytes", &bytes))
    return bytes;
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

}  // namespace parley::gateway
