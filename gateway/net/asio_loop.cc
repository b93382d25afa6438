#include "gateway/net/asio_loop.h"

#include <fcntl.h>

#include <algorithm>
#include <asio/executor_work_guard.hpp>
#include <asio/post.hpp>
#include <chrono>

#include "protocol/base/prefetch.h"

namespace parley::gateway {
namespace {

constexpr size_t kAhead = 4;          // flushables prefetched while one is served
constexpr int kVectorsEach = 64;      // pieces of one socket's output per system call
constexpr size_t kVectorsMax = 1024;  // for all sockets together

class QueuedTimer final : public Timer {
 public:
  QueuedTimer(std::weak_ptr<TimerQueue> queue, TimerQueue::Key key) : queue_(std::move(queue)), key_(key) {}
  ~QueuedTimer() override {
    if (const auto queue = queue_.lock()) queue->Remove(key_);
  }

 private:
  std::weak_ptr<TimerQueue> queue_;
  TimerQueue::Key key_;
};

}  // namespace

TimerQueue::Key TimerQueue::Add(int64_t deadline_ms, std::function<void()> task) {
  const Key key{deadline_ms, next_++};
  entries_.emplace(key, std::move(task));
  return key;
}

void TimerQueue::RunDue(int64_t now_ms) {
  const uint64_t set_before = next_;
  while (!entries_.empty()) {
    const Key key = entries_.begin()->first;
    if (key.first > now_ms || key.second >= set_before) break;
    // Removed from the map first: the task may cancel any timer, its own included.
    const std::function<void()> task = std::move(entries_.begin()->second);
    entries_.erase(entries_.begin());
    task();
  }
}

// asio closes the descriptor that it is given, so give it a duplicate.
EventLoop::EventLoop() : readiness_(io_, ::fcntl(ready_.descriptor(), F_DUPFD_CLOEXEC, 0)) {}

// Drops the tasks while the loop still exists, since their objects may use it.
EventLoop::~EventLoop() {
  timers_.reset();
  dirty_.clear();
}

int64_t EventLoop::NowMs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

void EventLoop::Post(std::function<void()> task) {
  asio::post(io_, std::move(task));
}

std::unique_ptr<Timer> EventLoop::CallAfter(int64_t delay_ms, std::function<void()> task) {
  // The clock is truncated to milliseconds: one more keeps "after delay_ms" true.
  const int64_t extra = delay_ms > 0 ? 1 : 0;
  const auto key = timers_->Add(NowMs() + std::max<int64_t>(delay_ms, 0) + extra, std::move(task));
  if (key.first < alarm_ms_) ArmTimer();
  return std::make_unique<QueuedTimer>(timers_, key);
}

void EventLoop::ArmTimer() {
  alarm_ms_ = timers_->earliest_ms();
  alarm_.expires_at(std::chrono::steady_clock::time_point(std::chrono::milliseconds(alarm_ms_)));
  alarm_.async_wait([this](const asio::error_code& error) {
    if (!error) OnTimer();
  });
}

void EventLoop::OnTimer() {
  alarm_ms_ = INT64_MAX;
  timers_->RunDue(NowMs());
  if (!timers_->empty() && timers_->earliest_ms() < alarm_ms_) ArmTimer();
}

void EventLoop::Run() {
  const auto work = asio::make_work_guard(io_);
  while (!stop_.load(std::memory_order_acquire)) RunTurn();
}

void EventLoop::RequestStop() {
  stop_.store(true, std::memory_order_release);
  asio::post(io_, [] {});  // wakes the loop
}

void EventLoop::RunTurn() {
  AwaitReady();
  // Flushing may have queued more output (a catch-up continues when its socket drains): then do not sleep.
  if (dirty_.empty()) io_.run_one();
  for (int i = 1; i < kHandlersPerTurn && io_.poll_one() > 0; ++i) {
  }
  for (const auto& hook : turn_end_) hook();
  FlushDirty();
}

void EventLoop::AwaitReady() {
  if (awaits_ready_) return;
  awaits_ready_ = true;
  readiness_.async_wait(asio::posix::descriptor_base::wait_read, [this](const asio::error_code& error) {
    awaits_ready_ = false;
    if (!error) ready_.NotifyListeners();
  });
}

void EventLoop::FlushDirty() {
  constexpr size_t kWorthIt = 2;  // sockets; writing to a single one is as fast without
  flushing_.swap(dirty_);
  if (flushing_.size() >= kWorthIt && together_ != Together::kNo) FlushTogether();
  for (size_t i = 0; i < flushing_.size(); ++i) {
    if (i + kAhead < flushing_.size()) protocol::Prefetch(flushing_[i + kAhead].get(), 4);
    flushing_[i]->FlushTurn();
  }
  flushing_.clear();
}

// Writes for all sockets before any of them acts on its progress, since that may change the others' output.
void EventLoop::FlushTogether() {
  if (together_ == Together::kWanted) {  // created on the thread that uses it
    writer_ = BatchWriter::New();
    together_ = writer_ ? Together::kYes : Together::kNo;
    vectors_.resize(writer_ ? kVectorsMax : 0);
    if (!writer_) return;
  }
  for (size_t next = 0; next < flushing_.size();) {
    size_t used = 0;
    pieces_.clear();
    offering_.clear();
    for (; next < flushing_.size() && pieces_.size() < BatchWriter::kPiecesMax; ++next) {
      if (kVectorsMax - used < size_t{kVectorsEach}) break;
      if (next + kAhead < flushing_.size()) protocol::Prefetch(flushing_[next + kAhead].get(), 4);
      int descriptor = -1;
      const int count = flushing_[next]->Offer(&descriptor, vectors_.data() + used, kVectorsEach);
      if (count == 0) continue;
      pieces_.push_back({descriptor, vectors_.data() + used, static_cast<size_t>(count)});
      offering_.push_back(flushing_[next].get());
      used += static_cast<size_t>(count);
    }
    writer_->Write(&pieces_);
    for (size_t i = 0; i < pieces_.size(); ++i) offering_[i]->Took(pieces_[i].written);
  }
}

}  // namespace parley::gateway
