// The members of a thread at some point of its history. Everybody who has to do with a change keeps the list
// it went to: the cache, the queue to the loops, live delivery. Lists that differ by one member share all but
// a block of it, so that somebody who comes and goes in a thread of ten thousand costs a few kilobytes each
// time and not the whole list.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "protocol/base/ids.h"

namespace parley::threads {

using protocol::UserId;

class Members;
using MembersPtr = std::shared_ptr<const Members>;

// Immutable. Ids ascend, each is there once. Any thread.
class Members {
 public:
  // Blocks have at most so many; two neighbours have more than half of it.
  static constexpr size_t kBlockMax = 128;

  // REQUIRES: `ids` ascend, each once.
  static MembersPtr Of(std::vector<UserId> ids);

  size_t size() const { return size_; }
  bool Contains(const UserId& user) const;
  std::vector<UserId> First(size_t count) const;
  // What it takes, in bytes and roughly, the shared blocks included.
  size_t Weight() const;

  template <class Visit>
  void ForEach(const Visit& visit) const {
    for (const BlockPtr& block : blocks_) {
      for (const UserId& user : *block) visit(user);
    }
  }

 private:
  using Block = std::vector<UserId>;  // not empty
  using BlockPtr = std::shared_ptr<const Block>;

  // The block that holds the user, or would.
  size_t BlockFor(const UserId& user) const;
  friend MembersPtr With(const MembersPtr& list, const UserId& user);
  friend MembersPtr Without(const MembersPtr& list, const UserId& user);
  friend class MembersWalk;

  std::vector<BlockPtr> blocks_;
  size_t size_ = 0;
};

// The list with one more, or one fewer. The same list where that changes nothing.
MembersPtr With(const MembersPtr& list, const UserId& user);
MembersPtr Without(const MembersPtr& list, const UserId& user);

// Tells who is in `before` alone and who is in `after` alone. What the two share is not looked at.
using MemberVisitor = std::function<void(const UserId&)>;
void CompareMembers(const Members& before, const Members& after, const MemberVisitor& gone,
                    const MemberVisitor& came);

}  // namespace parley::threads
