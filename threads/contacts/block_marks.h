// Keeps the mark of a block in the threads of the two users: blockedUntil in the blocker's own row, which
// only they see. It is set while the block applies in the thread, and does not decide who may write.
#pragma once

#include <optional>
#include <vector>

#include "threads/engine/transaction.h"

namespace parley::threads {

// The end of a block without an end, for clients that read the mark as a time.
inline constexpr protocol::Time kBlockedForGood{253'402'300'799'999};  // 9999-12-31T23:59:59.999Z

// The mark of a user who blocks the other party of the thread; nullopt if blocks do not apply there.
std::optional<protocol::Time> MarkIn(const ThreadRow& head);
// The mark of a user who joins the thread; nullopt unless they are a party.
Result<std::optional<protocol::Time>> MarkOf(Transaction& tx, const TenantId& tenant, const ThreadRow& head,
                                             const UserId& user);

// The rows of parties whose mark does not match the blocks, with the correct mark. `head` as it will be.
Result<std::vector<ParticipantRow>> WrongMarks(Transaction& tx, const TenantId& tenant,
                                               const ThreadRow& head);

// Corrects these marks, as a personal change of each party.
Result<Decision> PutMarksRight(Transaction& tx, const TenantId& tenant, const ThreadId& thread);

}  // namespace parley::threads
