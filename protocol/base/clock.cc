#include "protocol/base/clock.h"

#include <chrono>

namespace parley::protocol {

Time SystemClock::Now() const {
  using namespace std::chrono;
  return Time{duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count()};
}

int64_t SystemClock::MonotonicMs() const {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace parley::protocol
