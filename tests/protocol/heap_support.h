// Measures the heap: every operator new of the test program is counted.
#pragma once

#include <cstddef>

namespace parley::protocol {

// The most memory held at once beyond what was held when it was made. One at a time.
class HeapPeak {
 public:
  HeapPeak();
  size_t bytes() const;

 private:
  size_t before_;
};

}  // namespace parley::protocol
