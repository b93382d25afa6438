// Blocks between users: an item per pair, owned by the user who blocks. threads/ defines the effect of a
// block (threads/model/barriers.h).
//
// Thread contract: reads on any thread; decisions on the writer's.
#pragma once

#include <optional>
#include <vector>

#include "accounts/records/records.h"
#include "protocol/base/ids.h"
#include "protocol/people.h"

namespace parley::features {

inline constexpr size_t kBlocksMax = 2000;  // per user

// Whether either of the two blocks the other.
protocol::Result<bool> AreBlocked(const accounts::RecordReads& reads, const protocol::UserId& a,
                                  const protocol::UserId& b);
// Returns the time since when `by` blocks `whom`, or nullopt.
protocol::Result<std::optional<protocol::Time>> FindBlock(const accounts::RecordReads& reads,
                                                          const protocol::UserId& by,
                                                          const protocol::UserId& whom);

struct BlockPage {
  std::vector<protocol::BlockedUser> items;
  bool more = false;
};
// In order of userId, starting after `after`.
protocol::Result<BlockPage> ReadBlockPage(const accounts::RecordReads& reads, const protocol::UserId& by,
                                          const std::optional<protocol::UserId>& after, size_t limit);

// Adds the write, if it is new, and its record in the tenant's audit; the decision commits. BAD_REQUEST for
// oneself, TOO_LARGE beyond kBlocksMax. It does not check whether the user exists, so that the reply does not
// reveal that.
protocol::Status AddBlock(accounts::RecordTransaction& tx, const protocol::UserId& by,
                          const protocol::UserId& whom);

// The same, and the opposite, committed. Repeats succeed without a change.
protocol::Status CommitBlock(accounts::RecordTransaction& tx, const protocol::UserId& by,
                             const protocol::UserId& whom);
protocol::Status CommitUnblock(accounts::RecordTransaction& tx, const protocol::UserId& by,
                               const protocol::UserId& whom);

// Removes at most `limit` of a deleted user's blocks, in a transaction of its own; returns true if there are
// more.
protocol::Result<bool> ClearBlocks(accounts::RecordTransaction& tx, const protocol::UserId& user,
                                   size_t limit);

}  // namespace parley::features
