// Whether the store of files answers, if it is another machine. While it does not, requests fail at once,
// except one every few seconds that finds out, so that no thread waits for it.
//
// Thread contract: thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "protocol/base/metrics.h"
#include "protocol/base/mutex.h"

namespace parley::features {

class StoreHealth {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kFirstPause{1'000}, kLongestPause{15'000};

  explicit StoreHealth(protocol::Metrics& metrics, std::function<Clock::time_point()> now = &Clock::now);

  // How often a request may be sent: 0: the store does not answer, fail at once.
  int AttemptsNow();
  void NoteAnswer();
  void NoteRefusal();
  void NoteSilence();
  void NoteRetry() { retries_.Add(); }

  // For Service::Remark.
  std::string Remark() const;

 private:
  const std::function<Clock::time_point()> now_;
  mutable protocol::Mutex mutex_;
  bool refuses_ GUARDED_BY(mutex_) = false;
  std::chrono::milliseconds pause_ GUARDED_BY(mutex_){0};  // 0: it answers
  Clock::time_point ask_at_ GUARDED_BY(mutex_);
  protocol::Counter answered_, refused_, silent_, retries_;
};

}  // namespace parley::features
