// The log line behind each error that is sent to a client, found by its corrId.
//
// Faults of ours (INTERNAL, UNAVAILABLE) are all logged as warnings. Clients' mistakes are logged too, but
// only a limited number a second: a client that sends nonsense in a loop must not fill the disk. Those above
// the limit are counted, and logged at level debug only.
//
// Thread contract: any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/base/clock.h"
#include "protocol/base/error.h"
#include "protocol/base/mutex.h"

namespace parley::gateway {

class ErrorLog {
 public:
  static constexpr int kRefusalsPerSecond = 20;

  explicit ErrorLog(const protocol::Clock& clock);

  // Returns the error's corrId. `session`: whose request it answers; empty: plain HTTP.
  std::string Note(const protocol::Error& error, std::string_view session = {});

 private:
  // Whether a refusal may be logged in this second; `left_out`: how many were left out before.
  bool Admit(int64_t* left_out) REQUIRES(mutex_);

  const protocol::Clock& clock_;
  const std::string prefix_;
  protocol::Mutex mutex_;
  uint64_t next_ GUARDED_BY(mutex_) = 0;
  int64_t second_ GUARDED_BY(mutex_) = -1;
  int64_t refusals_ GUARDED_BY(mutex_) = 0;  // within it
};

}  // namespace parley::gateway
