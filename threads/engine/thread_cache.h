// Decoded heads, own rows and member lists of threads in use, so that the hot path decodes none of them
// twice. Holds the newest decided state, synced or not: when a commit fails the whole cache is dropped.
#pragma once

#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "threads/model/barriers.h"
#include "threads/model/change.h"
#include "threads/model/rows.h"

namespace parley::threads {

// Which clientIds a thread keeps answers for, as hashes of their rows' keys, provided that all of them are
// known. Most commands are not repeats, and looking for a row that does not exist asks every file of the
// store.
class RememberedKeys {
 public:
  enum class State : uint8_t { kUnread, kComplete, kTooMany };
  static constexpr size_t kReadMost = 256;     // rows read to know them all
  static constexpr size_t kMost = 256 * 1024;  // hashes kept of one thread: two days at 1.5 a second

  State state() const { return state_; }
  void Begin() { state_ = State::kComplete; }  // for a new thread: only what is added from now on exists
  void GiveUp();
  void Add(std::string_view sort);
  // One of those added was removed.
  void Remove(std::string_view sort);
  // Many were removed: there may be few enough to know them all now.
  void LookAgain();
  // False: there is no such row.
  bool MayHold(std::string_view sort) const;
  size_t size() const { return hashes_.size(); }

 private:
  State state_ = State::kUnread;
  // Two keys may share a hash: each has its own entry, so that removing one does not hide the other.
  std::unordered_multiset<size_t> hashes_;
};

struct CachedThread {
  std::optional<ThreadRow> head;
  std::unordered_map<UserId, ParticipantRow> participants;
  MembersPtr members;
  // A commit since this was loaded has tested that nobody else wrote the next LOG# row.
  bool guarded = false;
  bool folded = false;  // no DEL# rows from an earlier version are left
  RememberedKeys remembered;
  uint64_t reports = 0;              // ExecutorSettings::reports when the next field was read; 0: never
  bool pair_reported = false;        // a safety report is open between the parties
  uint64_t people = 0;               // People::generation when what follows was read; 0: never
  std::optional<bool> pair_blocked;  // one of the parties blocks the other
  std::unordered_map<UserId, Sanction> sanctions;
  // Bytes it takes, roughly: counted, not measured.
  size_t Weight() const;
};

// Not thread-safe; owned by one executor.
class ThreadCache {
 public:
  ThreadCache(size_t max_threads, size_t max_bytes) : max_threads_(max_threads), max_bytes_(max_bytes) {}

  // The entry of a thread, created if missing; the least recently used entries make room. Valid until the
  // next call of At or Clear.
  CachedThread& At(const storage::PartitionKey& partition);
  void Clear();
  size_t size() const { return entries_.size(); }
  size_t bytes() const { return bytes_; }  // as of the last call of At, roughly

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
  Slot* last_ = nullptr;  // handed out last; the newest, so never evicted
  std::unordered_map<std::string, Slot> entries_;
  std::list<const std::string*> recent_;  // front: just used
};

}  // namespace parley::threads
