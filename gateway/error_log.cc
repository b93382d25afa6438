#include "gateway/error_log.h"

#include <algorithm>

#include "protocol/base/crypto.h"
#include "protocol/base/log.h"

namespace parley::gateway {

using protocol::ErrorCode;
using protocol::LogLevel;

ErrorLog::ErrorLog(const protocol::Clock& clock)
    : clock_(clock), prefix_(protocol::Base64Url(protocol::RandomBytes(6)) + "-") {}

bool ErrorLog::Admit(int64_t* left_out) {
  const int64_t second = clock_.MonotonicMs() / 1000;
  *left_out = 0;
  if (second != second_) {
    *left_out = std::max<int64_t>(0, refusals_ - kRefusalsPerSecond);
    second_ = second;
    refusals_ = 0;
  }
  return ++refusals_ <= kRefusalsPerSecond;
}

std::string ErrorLog::Note(const protocol::Error& error, std::string_view session) {
  LogLevel level = LogLevel::kWarn;
  int64_t left_out = 0;
  std::string corr_id;
  {
    protocol::MutexLock lock(&mutex_);
    corr_id = prefix_ + std::to_string(++next_);
    if (error.code != ErrorCode::kInternal && error.code != ErrorCode::kUnavailable)
      level = Admit(&left_out) ? LogLevel::kInfo : LogLevel::kDebug;
  }
  if (left_out > 0) protocol::Log(LogLevel::kInfo, "gateway", "refusals not told", {{"count", left_out}});
  protocol::Log(level, "gateway", "request refused",
                {{session.empty() ? "via" : "session", session.empty() ? "http" : session},
                 {"corrId", corr_id},
                 {"code", protocol::Describe(error.code).name},
                 {"message", error.message}});
  return corr_id;
}

}  // namespace parley::gateway
