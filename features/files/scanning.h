// Scans files with the scanner of the option files_scan. While it does not answer, it is asked once in a
// while, for all files together.
//
// Thread contract: thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "features/files/scanner.h"
#include "protocol/base/metrics.h"
#include "protocol/base/mutex.h"

namespace parley::features {

class Scanning {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kFirstPause{1'000}, kLongestPause{60'000};

  // `scanner`: nullptr unless a program scans.
  Scanning(ScanChoice::By by, std::unique_ptr<Scanner> scanner, protocol::Metrics& metrics,
           std::function<Clock::time_point()> now = &Clock::now);

  ScanChoice::By by() const { return by_; }
  bool unreachable() const { return unreachable_; }

  struct Examined {
    ScanResult result;
    // kNotReachable: when to ask again; 0: this file alone failed.
    std::chrono::milliseconds pause{0};
  };
  // REQUIRES: a program scans. Blocking.
  Examined Examine(BlobReader& blob);
  // A file goes into quarantine because it could not be scanned.
  void CountGivenUp() { given_up_.Add(); }
  void Stop();

 private:
  // Returns how long files must wait; 0: the scanner answers.
  std::chrono::milliseconds Pause();
  // The same, after a file that was not scanned.
  std::chrono::milliseconds Doubt();
  void Count(ScanResult::Kind kind);

  const ScanChoice::By by_;
  const std::unique_ptr<Scanner> scanner_;
  const std::function<Clock::time_point()> now_;
  // Held while the scanner is asked if it answers.
  protocol::Mutex mutex_;
  Clock::time_point ask_at_ GUARDED_BY(mutex_);
  std::chrono::milliseconds pause_ GUARDED_BY(mutex_){0};
  std::atomic<bool> unreachable_ = false;
  protocol::Counter clean_, found_, too_large_, failed_, given_up_;
};

// How long a file waits after its n-th failure, from 1 on.
std::chrono::milliseconds PauseAfter(int failures);

}  // namespace parley::features
