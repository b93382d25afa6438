// Lists the opened threads between two users who must not see each other's presence there: one blocks the
// other, and blocks are in force. Seeded when a thread is opened, then updated on every change. A change that
// arrives while the thread is being read overrides the values read.
//
// Thread contract: the loop's thread.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "features/host/host.h"
#include "threads/model/thread_kinds.h"

namespace parley::gateway {

using features::PairChange;

class HiddenPairs {
 public:
  using ThreadName = std::pair<protocol::TenantId, protocol::ThreadId>;
  // The two parties of a thread, whether one blocks the other, and whether blocks are in force there.
  struct Between {
    threads::Parties parties;
    bool blocked = false, holds = false;
    bool apart() const { return blocked && holds; }
  };

  // The number of changes so far: noted before a thread is read, and passed to Open.
  uint64_t changes() const { return changes_; }
  // `between`: as read since `noted`; nullopt: the thread has no two parties, and is not kept.
  void Open(const ThreadName& thread, const std::optional<Between>& between, uint64_t noted);
  void Close(const ThreadName& thread) { threads_.erase(thread); }
  // Both return the threads in which the pair is hidden from now on, or no longer.
  std::vector<ThreadName> Change(const PairChange& change);
  std::vector<ThreadName> Change(const ThreadName& thread, bool holds);
  // Returns nullptr if the thread is not open or has no two parties.
  const Between* Find(const ThreadName& thread) const;
  // Returns the user who must not see `user` in the thread; nullptr if everyone may.
  const protocol::UserId* HiddenFrom(const ThreadName& thread, const protocol::UserId& user) const;

 private:
  // One of the latest changes: of a pair's block, or of whether blocks are in force in a thread.
  struct Noted {
    std::optional<PairChange> pair;
    ThreadName thread = {};
    bool holds = false;
  };
  static constexpr size_t kNotedMost = 1024;

  void Note(Noted noted);
  static void Apply(const Noted& noted, const ThreadName& thread, Between* between);

  std::map<ThreadName, Between> threads_;
  std::deque<Noted> noted_;  // the latest of changes_
  uint64_t changes_ = 0;
};

}  // namespace parley::gateway
