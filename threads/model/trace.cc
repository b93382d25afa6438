#include "threads/model/trace.h"

#include <cstdio>

namespace parley::threads {

void LogStep(const Trace& trace, std::string_view step, std::initializer_list<protocol::LogField> fields) {
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - trace.since;
  char milliseconds[24];
  std::snprintf(milliseconds, sizeof milliseconds, "%.2f", took.count());
  const std::string line = std::string(step) + " corrId=" + trace.corr_id + " ms=" + milliseconds;
  protocol::Log(protocol::LogLevel::kInfo, "trace", line, fields);
}

}  // namespace parley::threads
