// When keys were used last: written down once a minute at most, and never at the cost of a request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "protocol/base/mutex.h"
#include "protocol/base/time.h"

namespace parley::accounts {

// Which uses are written down already. In memory only: what is forgotten is written down once more.
// Thread-safe.
class UseNotes {
 public:
  static constexpr int64_t kEveryMs = 60'000;
  static constexpr size_t kKeysMax = 10'000;

  // Whether this use of `key` is to be written down. Counts as done.
  bool IsDue(const std::string& key, protocol::Time now);

 private:
  protocol::Mutex mutex_;
  std::unordered_map<std::string, int64_t> noted_ms_ GUARDED_BY(mutex_);
};

}  // namespace parley::accounts
