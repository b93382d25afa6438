// Decoded heads, own rows and member lists of threads in use, so that the hot path decodes none of them
// twice. Holds the newest decided state, synced or not: when a commit fails the whole cache is dropped.
#pragma once

#include <list>
#include <optional>
#include <string>
#include <unordered_map>

#include "threads/change.h"
#include "threads/rows.h"

namespace parley::threads {

struct CachedThread {
  std::optional<ThreadRow> head;
  std::unordered_map<UserId, ParticipantRow> participants;
  MembersPtr members;
  // A commit since this was loaded has tested that nobody else wrote the next LOG# row.
  bool guarded = false;
};

// Not thread-safe; owned by one executor.
class ThreadCache {
 public:
  explicit ThreadCache(size_t max_threads) : max_threads_(max_threads) {}

  // The entry of a thread, made when missing. Valid until the next call of At or Clear.
  CachedThread& At(const storage::PartitionKey& partition);
  void Clear();
  size_t size() const { return entries_.size(); }

 private:
  struct Slot {
    CachedThread thread;
    std::list<const std::string*>::iterator place;
  };
  const size_t max_threads_;
  std::unordered_map<std::string, Slot> entries_;
  std::list<const std::string*> recent_;  // front: just used
};

}  // namespace parley::threads
