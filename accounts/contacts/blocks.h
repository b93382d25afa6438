// Whom a user keeps away: an item per pair, of the one who blocks. What a block means between the two is for
// threads/ to say (threads/model/barriers.h).
//
// Thread contract: reads on any thread; decisions on the writer's.
#pragma once

#include <optional>
#include <vector>

#include "accounts/records/records.h"
#include "protocol/base/ids.h"
#include "protocol/ops/blocks.h"

namespace parley::accounts {

inline constexpr size_t kBlocksMax = 2000;  // of one user

// Whether either of the two blocks the other.
protocol::Result<bool> AreBlocked(const RecordReads& reads, const protocol::UserId& a,
                                  const protocol::UserId& b);
// Whether `by` blocks `whom`, and since when.
protocol::Result<std::optional<protocol::Time>> FindBlock(const RecordReads& reads,
                                                          const protocol::UserId& by,
                                                          const protocol::UserId& whom);

struct BlockPage {
  std::vector<protocol::BlockedUser> items;
  bool more = false;
};
// In order of userId, those behind `after`.
protocol::Result<BlockPage> ListBlocks(const RecordReads& reads, const protocol::UserId& by,
                                       const std::optional<protocol::UserId>& after, size_t limit);

// Adds the write, if it is new, and its record in the tenant's audit; the decision commits. BAD_REQUEST for
// oneself, TOO_LARGE beyond kBlocksMax. Whether there is such a user is not asked, so that the answer does
// not tell.
protocol::Status AddBlock(RecordStage& stage, const protocol::UserId& by, const protocol::UserId& whom);

// The same, and the opposite, committed. What changes nothing succeeds.
protocol::Status BlockUser(RecordStage& stage, const protocol::UserId& by, const protocol::UserId& whom);
protocol::Status UnblockUser(RecordStage& stage, const protocol::UserId& by, const protocol::UserId& whom);

// Takes away at most `limit` of a deleted user's blocks, in a transaction of its own; true: there are more.
protocol::Result<bool> ClearBlocks(RecordStage& stage, const protocol::UserId& user, size_t limit);

}  // namespace parley::accounts
