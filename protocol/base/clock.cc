#include "protocol/base/clock.h"

#include <time.h>

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

int64_t SystemClock::BootMs() const {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace parley::protocol
