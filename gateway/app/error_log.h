// Logs each error that is sent to a client, with its corrId.
//
// Faults of the server (INTERNAL, UNAVAILABLE) are logged as warnings, clients' mistakes as information, a
// limited number per code and second: a client in a loop or a failed store must not fill the disk, and no
// code may crowd out another. Errors above the limit are counted, and logged at level debug only.
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
  static constexpr int kRefusalsPerSecond = 20;  // per code

  explicit ErrorLog(const protocol::Clock& clock);

  // Returns the error's corrId. `session`: the session of the request; empty: plain HTTP.
  // `corr_id`: the request's, if it already has one.
  std::string Note(const protocol::Error& error, std::string_view session = {}, std::string corr_id = {});
  std::string NextId();  // a corrId for a request that is traced

  // Logs that a web page of `origin` was rejected, and the allowed origins. `allowed` is called only if the
  // line is logged.
  void NoteOrigin(std::string_view origin, const std::function<std::string()>& allowed);

 private:
  // Counts the lines of one kind within a second.
  class Window {
   public:
    // Returns true if one more may be logged; `left_out`: the number omitted before it.
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
