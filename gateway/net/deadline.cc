#include "gateway/net/deadline.h"

namespace parley::gateway {

void Deadline::Set(int64_t delay_ms) {
  due_ms_ = EventLoop::NowMs() + delay_ms;
  if (due_ms_ < armed_ms_) Arm(delay_ms);
}

void Deadline::Arm(int64_t delay_ms) {
  armed_ms_ = due_ms_;
  timer_ = loop_->CallAfter(delay_ms, [this] { OnTimer(); });
}

void Deadline::OnTimer() {
  armed_ms_ = INT64_MAX;
  if (!is_set()) return timer_.reset();
  if (const int64_t left_ms = due_ms_ - EventLoop::NowMs(); left_ms > 0) return Arm(left_ms);
  due_ms_ = INT64_MAX;
  passed_();
}

}  // namespace parley::gateway
