#include "features/files/store_health.h"

#include <algorithm>
#include <utility>

#include "protocol/base/log.h"

namespace parley::features {
namespace {

constexpr int kAttempts = 4;

}  // namespace

StoreHealth::StoreHealth(protocol::Metrics& metrics, std::function<Clock::time_point()> now)
    : now_(std::move(now)) {
  const auto count = [&](const char* result) {
    return metrics.AddCounter("parley_file_store_requests_total",
                              "Requests to the bucket that stores files, by result", {{"result", result}});
  };
  answered_ = count("answered");
  refused_ = count("refused");
  silent_ = count("unavailable");
  retries_ = metrics.AddCounter("parley_file_store_retries_total",
                                "Requests to the bucket that stores files that were sent again");
  metrics.AddReadGauge("parley_file_store_unreachable",
                       "1 while the bucket that stores files does not answer or refuses requests",
                       [this] { return Remark().empty() ? 0.0 : 1.0; });
}

int StoreHealth::AttemptsNow() {
  const protocol::MutexLock lock(&mutex_);
  if (pause_.count() == 0) return kAttempts;
  if (now_() < ask_at_) return 0;
  ask_at_ = now_() + pause_;
  return 1;
}

void StoreHealth::NoteAnswer() {
  answered_.Add();
  const protocol::MutexLock lock(&mutex_);
  if (refuses_ || pause_.count() > 0)
    protocol::Log(protocol::LogLevel::kInfo, "files", "the store of files answers again");
  refuses_ = false;
  pause_ = std::chrono::milliseconds{0};
}

void StoreHealth::NoteRefusal() {
  refused_.Add();
  const protocol::MutexLock lock(&mutex_);
  refuses_ = true;
  pause_ = std::chrono::milliseconds{0};
}

void StoreHealth::NoteSilence() {
  silent_.Add();
  const protocol::MutexLock lock(&mutex_);
  if (pause_.count() == 0)
    protocol::Log(protocol::LogLevel::kWarn, "files",
                  "the store of files does not answer; uploads wait for it");
  pause_ = std::clamp(2 * pause_, kFirstPause, kLongestPause);
  ask_at_ = now_() + pause_;
}

std::string StoreHealth::Remark() const {
  const protocol::MutexLock lock(&mutex_);
  if (pause_.count() > 0) return "the store of files does not answer; uploads wait for it";
  return refuses_ ? "the store of files refuses requests; the log has its reason" : "";
}

}  // namespace parley::features
