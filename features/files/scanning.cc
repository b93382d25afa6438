#include "features/files/scanning.h"

#include <algorithm>
#include <utility>

#include "protocol/base/log.h"

namespace parley::features {

using std::chrono::milliseconds;

milliseconds PauseAfter(int failures) {
  const int doublings = std::clamp(failures - 1, 0, 6);
  return std::min(Scanning::kFirstPause * (1 << doublings), Scanning::kLongestPause);
}

Scanning::Scanning(ScanChoice::By by, std::unique_ptr<Scanner> scanner, protocol::Metrics& metrics,
                   std::function<Clock::time_point()> now)
    : by_(by), scanner_(std::move(scanner)), now_(std::move(now)) {
  const auto count = [&](const char* result) {
    return metrics.AddCounter("parley_file_scans_total", "Files that the scanner was asked about, by result",
                              {{"result", result}});
  };
  clean_ = count("clean");
  found_ = count("found");
  too_large_ = count("too_large");
  failed_ = count("failed");
  given_up_ = count("given_up");
  metrics.AddReadGauge("parley_file_scanner_unreachable",
                       "1 while the scanner of files does not answer; files wait for it",
                       [this] { return unreachable_ ? 1.0 : 0.0; });
}

Scanning::Examined Scanning::Examine(BlobReader& blob) {
  if (const milliseconds pause = Pause(); pause.count() > 0) return {{}, pause};
  ScanResult result = scanner_->Scan(blob);
  Count(result.kind);
  if (result.kind != ScanResult::Kind::kNotReachable) return {std::move(result)};
  const milliseconds pause = Doubt();
  return {std::move(result), pause};
}

milliseconds Scanning::Pause() {
  const protocol::MutexLock lock(&mutex_);
  if (pause_.count() == 0) return pause_;
  if (const auto now = now_(); now < ask_at_) return std::chrono::ceil<milliseconds>(ask_at_ - now);
  if (!scanner_->Answers()) {
    pause_ = std::min(2 * pause_, kLongestPause);
    ask_at_ = now_() + pause_;
    return pause_;
  }
  protocol::Log(protocol::LogLevel::kInfo, "files", "the scanner answers again");
  unreachable_ = false;
  return pause_ = milliseconds{0};
}

milliseconds Scanning::Doubt() {
  const protocol::MutexLock lock(&mutex_);
  if (pause_.count() > 0) return pause_;  // another thread has found it out
  if (scanner_->Answers()) return milliseconds{0};
  protocol::Log(protocol::LogLevel::kWarn, "files", "the scanner does not answer; files wait for it");
  unreachable_ = true;
  pause_ = kFirstPause;
  ask_at_ = now_() + pause_;
  return pause_;
}

void Scanning::Count(ScanResult::Kind kind) {
  switch (kind) {
    case ScanResult::Kind::kClean:
      return clean_.Add();
    case ScanResult::Kind::kFound:
      return found_.Add();
    case ScanResult::Kind::kTooLarge:
      return too_large_.Add();
    case ScanResult::Kind::kNotReachable:
      return failed_.Add();
  }
}

void Scanning::Stop() {
  if (scanner_) scanner_->Stop();
}

}  // namespace parley::features
