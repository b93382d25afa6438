// The bytes of request bodies that a process holds, across all of its I/O threads: while they arrive, and
// until their requests are answered. What counts is what arrived, not what a peer announces: otherwise a few
// peers that announce much and send nothing would keep all others out.
//
// Valid C++17. Thread contract: any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace parley::gateway {

class BodyBudget {
 public:
  explicit BodyBudget(size_t capacity) : capacity_(capacity) {}

  bool HasRoom(size_t bytes) const { return bytes <= capacity_ && held() <= capacity_ - bytes; }
  // False, and nothing taken, when there is no room.
  bool Take(size_t bytes) {
    if (held_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= capacity_) return true;
    Release(bytes);
    return false;
  }
  void Release(size_t bytes) { held_.fetch_sub(bytes, std::memory_order_relaxed); }
  size_t held() const { return held_.load(std::memory_order_relaxed); }

 private:
  const size_t capacity_;
  std::atomic<size_t> held_{0};
};

// One body's part of the budget while it lives. Without a budget there is no bound.
class BodyShare {
 public:
  BodyShare() = default;
  explicit BodyShare(std::shared_ptr<BodyBudget> budget) : budget_(std::move(budget)) {}
  ~BodyShare() { Reset(); }
  // What is left behind holds nothing, and can grow again: it keeps its budget.
  BodyShare(BodyShare&& other) noexcept
      : budget_(other.budget_),  // NOLINT(performance-move-constructor-init)
        bytes_(std::exchange(other.bytes_, 0)) {}
  BodyShare& operator=(BodyShare&&) = delete;

  bool HasRoom(size_t bytes) const { return !budget_ || budget_->HasRoom(bytes); }
  bool Grow(size_t bytes) {
    if (budget_ && !budget_->Take(bytes)) return false;
    bytes_ += bytes;
    return true;
  }
  void Reset() {
    const size_t bytes = std::exchange(bytes_, 0);
    if (budget_) budget_->Release(bytes);
  }
  size_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<BodyBudget> budget_;
  size_t bytes_ = 0;
};

}  // namespace parley::gateway
