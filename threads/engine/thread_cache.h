// Caches decoded heads, own rows and member lists of threads in use, so that the hot path decodes none of
// them twice. Contains the newest decided state, synced or not, so a failed commit clears the whole cache.
#pragma once

#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "threads/engine/checks.h"
#include "threads/model/change.h"
#include "threads/model/rows.h"

namespace parley::threads {

// The clientIds for which a thread stores answers, as hashes of their rows' keys, if all of them are known.
// Most commands are not repeats, and reading a row that does not exist asks every file of the store.
class RememberedKeys {
 public:
  enum class State : uint8_t { kUnread, kComplete, kTooMany };
  static constexpr size_t kReadMost = 256;     // rows read to know them all
  static constexpr size_t kMost = 256 * 1024;  // hashes kept per thread: two days at 1.5 a second

  State state() const { return state_; }
  void Begin() { state_ = State::kComplete; }  // for a new thread, which has no rows yet
  void GiveUp();
  void Add(std::string_view sort);
  // Call only for a key that was added.
  void Remove(std::string_view sort);
  // After many removals: there may now be few enough to load them all.
  void LookAgain();
  // Returns false if there is certainly no such row.
  bool MayHold(std::string_view sort) const;
  size_t size() const { return hashes_.size(); }

 private:
  State state_ = State::kUnread;
  // A multiset, since two keys may share a hash: removing one must not hide the other.
  std::unordered_multiset<size_t> hashes_;
};

struct CachedThread {
  std::optional<ThreadRow> head;
  std::unordered_map<UserId, ParticipantRow> participants;
  MembersPtr members;
  // Since this was loaded, a commit has verified that no other writer wrote the next LOG# row.
  bool guarded = false;
  bool folded = false;  // all DEL# rows from an earlier version are converted
  RememberedKeys remembered;
  uint64_t reports = 0;        // ExecutorSettings::reports when the next field was read; 0: never
  bool pair_reported = false;  // a safety report is open between the parties
  CheckMemories memories;      // the memory of the features' checks
  // Its approximate size in bytes.
  size_t Weight() const;
};

// Not thread-safe; owned by one executor.
class ThreadCache {
 public:
  ThreadCache(size_t max_threads, size_t max_bytes) : max_threads_(max_threads), max_bytes_(max_bytes) {}

  // Returns the entry of a thread and creates it if missing; evicts the least recently used entries. Valid
  // until the next call of At or Clear.
  CachedThread& At(const storage::PartitionKey& partition);
  void Clear();
  size_t size() const { return entries_.size(); }
  size_t bytes() const { return bytes_; }  // as of the last call of At, approximate

 private:
  struct Slot {
    CachedThread thread;
    std::list<const std::string*>::iterator place;
    size_t weight = 0;
  };
  void Weigh(Slot& slot);
  void Evict();
  const size_t max_threads_, max_bytes_;
  size_t bytes_ = 0;
  Slot* last_ = nullptr;  // the entry returned last; the newest, so never evicted
  std::unordered_map<std::string, Slot> entries_;
  std::list<const std::string*> recent_;  // front: just used
};

}  // namespace parley::threads
