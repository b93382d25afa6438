// Limits the connections of a process, across all I/O threads, and those from one address or group of
// addresses that count as one (AddressGroup). Valid C++17. Thread contract: any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <unordered_map>

#include "protocol/base/mutex.h"

namespace parley::gateway {

class ConnectionBudget {
 public:
  enum class Verdict { kTaken, kFull, kAddress };

  // `bound_address` false: the address is exempt from its limit.
  Verdict Take(const std::string& address, bool bound_address, size_t max_connections,
               size_t max_per_address);
  void Release(const std::string& address);  // for a connection that was taken
  // Moves a connection to another address. Returns false, and changes nothing, if that one is at its limit.
  bool Move(const std::string& from, const std::string& to, size_t max_per_address);
  size_t open() const { return open_.load(std::memory_order_relaxed); }

 private:
  void ReleaseLocked(const std::string& address) REQUIRES(mutex_);

  protocol::Mutex mutex_;
  std::unordered_map<std::string, size_t> per_address_ GUARDED_BY(mutex_);
  std::atomic<size_t> open_{0};  // written under mutex_
};

}  // namespace parley::gateway
