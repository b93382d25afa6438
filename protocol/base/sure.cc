#include "protocol/base/sure.h"

#include <cstdio>
#include <cstdlib>

namespace parley::protocol {

void EndUnsure(const char* file, int line) {
  std::fprintf(stderr, "a value was taken for granted at %s:%d\n", file, line);
  std::abort();
}

}  // namespace parley::protocol
