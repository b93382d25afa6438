// Remembers which users were removed from which threads while an older inbox entry may still arrive: the
// projection works from snapshots, so an entry that shows a member may arrive after the event of their
// removal. Such an entry is stale, because its seq is below the removal's. An entry of a later membership is
// not.
//
// Its size is bounded by the projection's lag. Beyond kMost, every earlier entry counts as stale: losing an
// entry is better than sending one to a former member. Thread contract: the loop's thread, except waits (any
// thread).
#pragma once

#include <atomic>
#include <string>
#include <unordered_map>

#include "fanout/projection.h"

namespace parley::fanout {

class Departures {
 public:
  static constexpr size_t kMost = 10'000;

  // `seq`: the removal's, in its thread. `position`: at or after the removal in the change log.
  void Note(const TenantId& tenant, const ThreadId& thread, const UserId& user, int64_t seq,
            storage::Position position);
  // `through`: the log position that the entry's pass includes.
  bool IsStale(const EntryNotice& notice, storage::Position through) const;
  // Call when all entries of the passes up to `through` have been handled.
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
  storage::Position unknown_through_ = 0;  // up to here any entry counts as stale, because of kMost
  std::atomic<bool> waits_{false};
};

}  // namespace parley::fanout
