// The log line behind each error that is sent to a client, found by its corrId.
//
// Faults of ours (INTERNAL, UNAVAILABLE) are logged as warnings, clients' mistakes as information, a limited
// number of each code a second: a client that sends nonsense in a loop, or a store that has failed, must not
// fill the disk, and no code may crowd out another. Those above the limit are counted, and logged at level
// debug only.
//
// Thread contract: any thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "protocol/base/clock.h"
#include "protocol/base/error.h"
#include "protocol/base/mutex.h"

namespace parley::gateway {

class ErrorLog {
 public:
  static constexpr int kRefusalsPerSecond = 20;  // of one code

  explicit ErrorLog(const protocol::Clock& clock);

  // Returns the error's corrId. `session`: whose request it answers; empty: plain HTTP.
  std::string Note(const protocol::Error& error, std::string_view session = {});

  // Logs that a web page of `origin` was refused, and which origins are allowed. `allowed` is called only if
  // the line is not above the limit.
  void NoteOrigin(std::string_view origin, const std::function<std::string()>& allowed);

 private:
  // How many lines of one kind there were within a second.
  class Window {
   public:
    // Whether one more may be logged; `left_out`: how many were left out before.
    bool Admit(int64_t second, int64_t* left_out);

   private:
    int64_t second_ = -1;
    int64_t lines_ = 0;
  };

  const protocol::Clock& clock_;
  const std::string prefix_;
  protocol::Mutex mutex_;
  uint64_t next_ GUARDED_BY(mutex_) = 0;
  std::array<Window, protocol::kErrorCodeCount> codes_ GUARDED_BY(mutex_);
  Window origins_ GUARDED_BY(mutex_);
};

}  // namespace parley::gateway
