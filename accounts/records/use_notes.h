// Records the last use of keys: at most once a minute, and never at the cost of a request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "protocol/base/mutex.h"
#include "protocol/base/time.h"

namespace parley::accounts {

// Remembers which uses were recorded. In memory only: a forgotten one is recorded once more.
// Thread-safe.
class UseNotes {
 public:
  static constexpr int64_t kEveryMs = 60'000;
  static constexpr size_t kKeysMax = 10'000;

  // Whether this use of `key` should be recorded; then counts it as recorded.
  bool IsDue(const std::string& key, protocol::Time now);

 private:
  protocol::Mutex mutex_;
  std::unordered_map<std::string, int64_t> noted_ms_ GUARDED_BY(mutex_);
};

}  // namespace parley::accounts
