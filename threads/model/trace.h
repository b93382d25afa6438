// One request that is followed through the server, and the log lines of its steps.
#pragma once

#include <chrono>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "protocol/base/log.h"

namespace parley::threads {

struct Trace {
  std::string corr_id;  // "-": the change belongs to no traced request, as one of the clock
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
};
// Passed along in memory and never stored; nullptr: not traced.
using TracePtr = std::shared_ptr<const Trace>;

// Logs one step with the time since the request was received. REQUIRES: the fields contain no text that a
// user wrote.
void LogStep(const Trace& trace, std::string_view step, std::initializer_list<protocol::LogField> fields);

}  // namespace parley::threads
