#include "gateway/app/error_log.h"

#include <algorithm>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/base/log.h"

namespace parley::gateway {

using protocol::ErrorCode;
using protocol::LogLevel;

ErrorLog::ErrorLog(const protocol::Clock& clock)
    : clock_(clock), prefix_(protocol::Base64Url(protocol::RandomBytes(6)) + "-") {}

bool ErrorLog::Window::Admit(int64_t second, int64_t* left_out) {
  *left_out = 0;
  if (second != second_) {
    *left_out = std::max<int64_t>(0, lines_ - kRefusalsPerSecond);
    second_ = second;
    lines_ = 0;
  }
  return ++lines_ <= kRefusalsPerSecond;
}

std::string ErrorLog::NextId() {
  protocol::MutexLock lock(&mutex_);
  return prefix_ + std::to_string(++next_);
}

std::string ErrorLog::Note(const protocol::Error& error, std::string_view session, std::string corr_id) {
  const bool is_fault = error.code == ErrorCode::kInternal || error.code == ErrorCode::kUnavailable;
  const std::string_view code = protocol::Describe(error.code).name;
  LogLevel level = is_fault ? LogLevel::kWarn : LogLevel::kInfo;
  int64_t left_out = 0;
  {
    protocol::MutexLock lock(&mutex_);
    if (corr_id.empty()) corr_id = prefix_ + std::to_string(++next_);
    Window& window = codes_[static_cast<size_t>(error.code)];
    if (!window.Admit(clock_.MonotonicMs() / 1000, &left_out)) level = LogLevel::kDebug;
  }
  if (left_out > 0)
    protocol::Log(LogLevel::kInfo, "gateway", "refusals not logged", {{"code", code}, {"count", left_out}});
  protocol::Log(level, "gateway", "request refused",
                {{session.empty() ? "via" : "session", session.empty() ? "http" : session},
                 {"corrId", corr_id},
                 {"code", code},
                 {"message", error.message}});
  return corr_id;
}

void ErrorLog::NoteOrigin(std::string_view origin, const std::function<std::string()>& allowed) {
  int64_t left_out = 0;
  {
    protocol::MutexLock lock(&mutex_);
    if (!origins_.Admit(clock_.MonotonicMs() / 1000, &left_out)) return;
  }
  if (left_out > 0)
    protocol::Log(LogLevel::kInfo, "gateway", "refused origins not logged", {{"count", left_out}});
  protocol::Log(LogLevel::kInfo, "gateway", "a page's origin is not allowed",
                {{"origin", origin}, {"allowed", allowed()}});
}

}  // namespace parley::gateway
