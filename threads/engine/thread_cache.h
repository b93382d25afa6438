// Decoded heads, own rows and member lists of threads in use, so that the hot path decodes none of them
// twice. Holds the newest decided state, synced or not: when a commit fails the whole cache is dropped.
#pragma once

#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "threads/model/change.h"
#include "threads/model/rows.h"

namespace parley::threads {

// Which clientIds' answers a thread keeps, as hashes of their rows' keys, while all of them are known. Most
// commands are no repeats, and to look for a row that is not there asks every file of the store.
class RememberedKeys {
 public:
  enum class State : uint8_t { kUnread, kComplete, kTooMany };
  static constexpr size_t kReadMost = 256;    // rows read to know them all
  static constexpr size_t kMost = 32 * 1024;  // hashes kept of one thread

  State state() const { return state_; }
  void Begin() { state_ = State::kComplete; }  // what is added from now on is all there is
  void GiveUp();
  void Add(std::string_view sort);
  // One of those added is gone.
  void Remove(std::string_view sort);
  // Many are gone: what were too many may be few now.
  void LookAgain();
  // False: there is no such row.
  bool MayHold(std::string_view sort) const;
  size_t size() const { return hashes_.size(); }

 private:
  State state_ = State::kUnread;
  // Two keys may share a hash: each stands for itself, so that one that is left is not taken for gone.
  std::unordered_multiset<size_t> hashes_;
};

struct CachedThread {
  std::optional<ThreadRow> head;
  std::unordered_map<UserId, ParticipantRow> participants;
  MembersPtr members;
  // A commit since this was loaded has tested that nobody else wrote the next LOG# row.
  bool guarded = false;
  bool folded = false;  // no DEL# rows of an earlier version are left
  RememberedKeys remembered;
  uint64_t reports = 0;        // ExecutorSettings::reports when the next was looked up; 0: never
  bool pair_reported = false;  // a safety report is open between the parties
  // Bytes it takes, roughly: counted, not measured.
  size_t Weight() const;
};

// Not thread-safe; owned by one executor.
class ThreadCache {
 public:
  ThreadCache(size_t max_threads, size_t max_bytes) : max_threads_(max_threads), max_bytes_(max_bytes) {}

  // The entry of a thread, made when missing; those used longest ago make room. Valid until the next call of
  // At or Clear.
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
