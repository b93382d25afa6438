// The bytes of request bodies that a process holds, across all of its I/O threads: while they arrive, and
// until their requests are answered. What counts is what arrived, not what a peer announces: otherwise a few
// peers that announce much and send nothing would keep all others out.
//
// Bodies of more than kSmallBodyBytes share what there is. One address has a part of it, and where there is
// no room for another body, that which arrives most slowly is evicted, once it had some time: else a few
// peers that send as slowly as they may would keep all others out for minutes.
//
// Valid C++17. Thread contract: any thread; a BodyShare belongs to one at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "protocol/base/mutex.h"

namespace parley::gateway {

constexpr size_t kSmallBodyBytes = 64 * 1024;

// Whose body it is, and how it is given up while it arrives. `evict` is called on any thread, at most once,
// and not after the share was reset or ended; it posts, and does not block.
struct BodyArrival {
  std::string address;  // or group of addresses that count as one
  std::function<void()> evict;
};

class BodyBudget {
 public:
  struct Settings {
    size_t capacity = 0;
    size_t address_capacity = SIZE_MAX;  // of bodies that are not small, from one address
    int64_t patience_ms = 5'000;         // no body is evicted earlier
    std::function<int64_t()> now_ms = [] {
      const auto now = std::chrono::steady_clock::now().time_since_epoch();
      return static_cast<int64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
    };
  };
  explicit BodyBudget(size_t capacity) { settings_.capacity = capacity; }
  explicit BodyBudget(Settings settings) : settings_(std::move(settings)) {}

  bool HasRoom(size_t bytes) const {
    return bytes <= settings_.capacity && held() <= settings_.capacity - bytes;
  }
  // False, and nothing taken, when there is no room.
  bool Take(size_t bytes) {
    if (held_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= settings_.capacity) return true;
    Release(bytes);
    return false;
  }
  void Release(size_t bytes) { held_.fetch_sub(bytes, std::memory_order_relaxed); }
  size_t held() const { return held_.load(std::memory_order_relaxed); }
  uint64_t evicted() const { return evicted_.load(std::memory_order_relaxed); }

 private:
  friend class BodyShare;
  // A body that is not small.
  struct Entry {
    BodyArrival arrival;
    int64_t since_ms = 0;
    size_t bytes = 0;
    bool arriving = true;
    bool evicted = false;  // its bytes count no more
  };

  // Whether `bytes` more may come from where `entry` comes from.
  bool HasShare(const std::string& address, size_t bytes);
  bool HasShareLocked(const std::string& address, size_t bytes) const REQUIRES(mutex_);
  bool TakeShare(Entry* entry, size_t bytes);
  void Drop(Entry* entry);
  void End(Entry* entry);
  // Makes room by the slowest; false: no body may be evicted. `except` stays.
  bool EvictSlowest(const Entry* except);
  void CountLocked(Entry* entry, size_t bytes) REQUIRES(mutex_);
  void DiscountLocked(Entry* entry) REQUIRES(mutex_);

  Settings settings_;
  std::atomic<size_t> held_{0};
  std::atomic<uint64_t> evicted_{0};
  protocol::Mutex mutex_;
  std::unordered_set<Entry*> entries_ GUARDED_BY(mutex_);
  std::unordered_map<std::string, size_t> by_address_ GUARDED_BY(mutex_);
};

// One body's part of the budget while it lives. Without a budget there is no bound.
class BodyShare {
 public:
  BodyShare() = default;
  explicit BodyShare(std::shared_ptr<BodyBudget> budget) : budget_(std::move(budget)) {}
  ~BodyShare() { Reset(); }
  // What is left behind holds nothing, and can grow again: it keeps its budget.
  BodyShare(BodyShare&& other) noexcept;
  BodyShare& operator=(BodyShare&&) = delete;

  // Before it grows: of whom it is.
  void Begin(BodyArrival arrival) { arrival_ = std::move(arrival); }
  // Whether so many bytes could come now, if slow bodies are evicted, which they are.
  bool MakeRoom(size_t bytes);
  bool Grow(size_t bytes);
  void End();  // all of it has arrived
  void Reset();
  size_t bytes() const { return bytes_; }

 private:
  bool BecomeLarge();

  std::shared_ptr<BodyBudget> budget_;
  BodyArrival arrival_;
  std::unique_ptr<BodyBudget::Entry> entry_;  // once it is not small
  size_t bytes_ = 0;
};

}  // namespace parley::gateway
