// Bounds the bytes that the process holds for all its readers: output queued for sockets, including HTTP, and
// answers under construction. A piece that many readers share counts once, until the last of them has read
// it.
//
// The transport and the router decide what happens when it runs out: acknowledgements and events continue,
// the readers that hold the most are disconnected (WsTransport::Relieve), and a read that still finds no room
// is answered UNAVAILABLE.
//
// Valid C++17. Thread contract: any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace parley::gateway {

class ReaderBudget {
 public:
  explicit ReaderBudget(size_t capacity) : capacity_(capacity) {}

  void Add(size_t bytes) { held_.fetch_add(bytes, std::memory_order_relaxed); }
  void Remove(size_t bytes) { held_.fetch_sub(bytes, std::memory_order_relaxed); }
  size_t held() const { return held_.load(std::memory_order_relaxed); }
  size_t capacity() const { return capacity_; }
  // Returns the bytes that must be freed before `bytes` more have room.
  size_t Lacks(size_t bytes) const {
    const size_t wanted = held() + bytes;
    return wanted > capacity_ ? wanted - capacity_ : 0;
  }

 private:
  const size_t capacity_;
  std::atomic<size_t> held_{0};
};

// A share of the budget while it lives: for a piece of output, or for an answer under construction.
class ReaderShare {
 public:
  ReaderShare() = default;
  ReaderShare(std::shared_ptr<ReaderBudget> budget, size_t bytes)
      : budget_(std::move(budget)), bytes_(bytes) {
    if (budget_) budget_->Add(bytes_);
  }
  ~ReaderShare() {
    if (budget_) budget_->Remove(bytes_);
  }
  ReaderShare(const ReaderShare&) = delete;
  ReaderShare& operator=(const ReaderShare&) = delete;
  ReaderShare(ReaderShare&& other) noexcept : budget_(std::move(other.budget_)), bytes_(other.bytes_) {}
  ReaderShare& operator=(ReaderShare&&) = delete;

 private:
  std::shared_ptr<ReaderBudget> budget_;
  size_t bytes_ = 0;
};

}  // namespace parley::gateway
