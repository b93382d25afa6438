// Bounds the memory of request bodies, across all I/O threads, from their arrival until the requests are
// answered. Bytes count when they arrive, not when they are announced; otherwise a few peers that announce
// much and send nothing would block all others.
//
// Bodies of more than kSmallBodyBytes share the budget: each address may use a part of it, and if another
// body finds no room, the slowest one is evicted, once it has had some time. Otherwise a few peers that send
// slowly would block all others for minutes.
//
// Valid C++17. Thread contract: any thread; a BodyShare is used by one thread at a time.
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

// The sender of a body, and how to evict it while it arrives. `evict` is called on any thread, at most once,
// and not after the share was reset or ended; it must post, and not block.
struct BodyArrival {
  std::string address;  // or a group of addresses that count as one
  std::function<void()> evict;
};

class BodyBudget {
 public:
  struct Settings {
    size_t capacity = 0;
    size_t address_capacity = SIZE_MAX;  // limits the large bodies from one address
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
  // Returns false, and takes nothing, if there is no room.
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
  // A large body.
  struct Entry {
    BodyArrival arrival;
    int64_t since_ms = 0;
    size_t bytes = 0;
    bool arriving = true;
    bool evicted = false;  // its bytes no longer count
  };

  // Returns true if `bytes` more may come from `address`.
  bool HasShare(const std::string& address, size_t bytes);
  bool HasShareLocked(const std::string& address, size_t bytes) const REQUIRES(mutex_);
  bool TakeShare(Entry* entry, size_t bytes);
  void Drop(Entry* entry);
  void End(Entry* entry);
  // Evicts the slowest body except `except`; returns false if none may be evicted.
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

// The part of the budget that one body uses, for its lifetime. Without a budget there is no bound.
class BodyShare {
 public:
  BodyShare() = default;
  explicit BodyShare(std::shared_ptr<BodyBudget> budget) : budget_(std::move(budget)) {}
  ~BodyShare() { Reset(); }
  // The moved-from share is empty but keeps its budget, so it can grow again.
  BodyShare(BodyShare&& other) noexcept;
  BodyShare& operator=(BodyShare&&) = delete;

  // Call before it grows.
  void Begin(BodyArrival arrival) { arrival_ = std::move(arrival); }
  // Returns true if this many bytes may arrive now; evicts slow bodies to make room.
  bool MakeRoom(size_t bytes);
  bool Grow(size_t bytes);
  void End();  // the whole body has arrived
  void Reset();
  size_t bytes() const { return bytes_; }

 private:
  bool BecomeLarge();

  std::shared_ptr<BodyBudget> budget_;
  BodyArrival arrival_;
  std::unique_ptr<BodyBudget::Entry> entry_;  // set once the body is large
  size_t bytes_ = 0;
};

}  // namespace parley::gateway
