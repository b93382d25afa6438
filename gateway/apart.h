// Which opened threads lie between two users who are not to see each other in them, because one blocks the
// other. Told when a thread is opened, and by each block from then on. Thread contract: the loop's thread.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "threads/model/thread_kinds.h"

namespace parley::gateway {

class Apart {
 public:
  using ThreadName = std::pair<protocol::TenantId, protocol::ThreadId>;

  // `between`: the two of a thread in which blocks hold; none: they do not, and it is not kept.
  void Open(const ThreadName& thread, const std::optional<threads::Parties>& between, bool apart);
  void Close(const ThreadName& thread) { threads_.erase(thread); }
  // The two are apart from now on, or no longer. Returns the threads where that is news.
  std::vector<ThreadName> Change(const protocol::TenantId& tenant, const protocol::UserId& a,
                                 const protocol::UserId& b, bool apart);
  // Who does not see `user` in the thread; nullptr: everybody does.
  const protocol::UserId* HiddenFrom(const ThreadName& thread, const protocol::UserId& user) const;

 private:
  struct Between {
    threads::Parties parties;
    bool apart = false;
  };
  std::map<ThreadName, Between> threads_;
};

}  // namespace parley::gateway
