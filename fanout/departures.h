// Remembers which users were removed from which threads while an older inbox entry may still arrive: the
// projection works from snapshots, so an entry that shows a member may arrive after the event of their
// removal. Such an entry is stale: its seq is below the removal's. An entry of a later membership is not.
//
// Its size is bounded by the projection's lag; beyond kMost, every earlier entry is considered stale: losing
// a hint is better than sending an entry to a former member. Thread contract: the loop's thread, except waits
// (any thread).
#pragma once

#include <atomic>
#include <string>
#include <unordered_map>

#include "fanout/projection.h"

namespace parley::fanout {

class Departures {
 public:
  static constexpr size_t kMost = 10'000;

  // The removal has this seq in its thread, and lies at or below `position` in the change log.
  void Note(const TenantId& tenant, const ThreadId& thread, const UserId& user, int64_t seq,
            storage::Position position);
  // For an entry from a pass that includes the log up to `through`.
  bool IsStale(const EntryNotice& notice, storage::Position through) const;
  // All entries of that pass, and thus of every earlier pass, have been handled.
  void Passed(storage::Position through);
  bool waits() const { return waits_.load(std::memory_order_relaxed); }

 private:
  struct Left {
    int64_t seq = 0;
    storage::Position position = 0;
  };
  static std::string NameOf(const TenantId& tenant, const ThreadId& thread, const UserId& user);

  std::unordered_map<std::string, Left> left_;
  storage::Position passed_ = 0;
  storage::Position unknown_through_ = 0;  // beyond kMost: up to here any entry may be stale
  std::atomic<bool> waits_{false};
};

}  // namespace parley::fanout
