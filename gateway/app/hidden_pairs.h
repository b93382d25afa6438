// Which opened threads lie between two users who are not to see each other in them: one blocks the other, and
// blocks hold there. Told of both when a thread is opened, and of every change from then on. A change that
// comes while what was read of a thread is on its way counts more than what was read.
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
  // The two of a thread, whether one blocks the other, and whether that holds there.
  struct Between {
    threads::Parties parties;
    bool blocked = false, holds = false;
    bool apart() const { return blocked && holds; }
  };

  // How many changes there were: noted before a thread is read, and given to Open.
  uint64_t changes() const { return changes_; }
  // `between`: as read since `noted`; none: the thread has no two parties, and is not kept.
  void Open(const ThreadName& thread, const std::optional<Between>& between, uint64_t noted);
  void Close(const ThreadName& thread) { threads_.erase(thread); }
  // Both return the threads in which the two are apart from now on, or no longer.
  std::vector<ThreadName> Change(const PairChange& change);
  std::vector<ThreadName> Change(const ThreadName& thread, bool holds);
  // nullptr: not opened, or without two parties.
  const Between* Find(const ThreadName& thread) const;
  // Who does not see `user` in the thread; nullptr: everybody does.
  const protocol::UserId* HiddenFrom(const ThreadName& thread, const protocol::UserId& user) const;

 private:
  // The latest changes: of a pair, or of whether blocks hold in a thread.
  struct Noted {
    std::optional<PairChange> pair;
    ThreadName thread = {};
    bool holds = false;
  };
  static constexpr size_t kNotedMost = 1024;

  void Note(Noted noted);
  static void Apply(const Noted& noted, const ThreadName& thread, Between* between);

  std::map<ThreadName, Between> threads_;
  std::deque<Noted> noted_;  // the last of changes_
  uint64_t changes_ = 0;
};

}  // namespace parley::gateway
