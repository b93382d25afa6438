// Measures the heap by counting every operator new of the test program.
#pragma once

#include <cstddef>

namespace parley::protocol {

// The peak of memory in use above that at construction. Only one may exist at a time.
class HeapPeak {
 public:
  HeapPeak();
  size_t bytes() const;

 private:
  size_t before_;
};

}  // namespace parley::protocol
