// Whether tests run all their rounds. PARLEY_NIGHTLY, which scripts/test --nightly sets, asks for that.
#pragma once

#include <cstdlib>

namespace parley::tests {

inline bool IsNightly() {
  return std::getenv("PARLEY_NIGHTLY") != nullptr;
}

}  // namespace parley::tests
