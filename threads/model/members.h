// The list of a thread's members at some point of its history. The cache, the queue to the I/O threads and
// live delivery each keep the list that a change was sent to. Lists that differ by one member share all but
// one block, so a member who joins and leaves a thread of ten thousand costs a few kilobytes each time, not
// the whole list.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "protocol/base/ids.h"

namespace parley::threads {

using protocol::UserId;

class Members;
using MembersPtr = std::shared_ptr<const Members>;

// Immutable; ids ascend without duplicates. May be used on any thread.
class Members {
 public:
  // The maximum number of ids in a block; two neighbours together have more than half of it.
  static constexpr size_t kBlockMax = 128;

  // REQUIRES: `ids` ascend without duplicates.
  static MembersPtr Of(std::vector<UserId> ids);

  size_t size() const { return size_; }
  bool Contains(const UserId& user) const;
  std::vector<UserId> First(size_t count) const;
  // Approximate memory in bytes, including shared blocks.
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

  // The block that contains the user, or into which they would be inserted.
  size_t BlockFor(const UserId& user) const;
  friend MembersPtr With(const MembersPtr& list, const UserId& user);
  friend MembersPtr Without(const MembersPtr& list, const UserId& user);
  friend class MembersWalk;

  std::vector<BlockPtr> blocks_;
  size_t size_ = 0;
};

// Returns the list with one member more or fewer, or the same list if that changes nothing.
MembersPtr With(const MembersPtr& list, const UserId& user);
MembersPtr Without(const MembersPtr& list, const UserId& user);

// Visits the users who are only in `before` and those who are only in `after`. Skips blocks that both share.
using MemberVisitor = std::function<void(const UserId&)>;
void CompareMembers(const Members& before, const Members& after, const MemberVisitor& gone,
                    const MemberVisitor& came);

}  // namespace parley::threads
