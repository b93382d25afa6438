// The mark of a block in a thread of the two: blockedUntil in the own row of the one who blocks, which only
// they see. It follows the block where blocks hold, and has no say in who may write.
#pragma once

#include <optional>
#include <vector>

#include "threads/engine/transaction.h"

namespace parley::threads {

// Of a block that has no end: those who read the mark as a time see that it is not over.
inline constexpr protocol::Time kBlockedForGood{253'402'300'799'999};  // 9999-12-31T23:59:59.999Z

// The mark of whoever blocks the other party of a thread: none where blocks do not hold.
std::optional<protocol::Time> MarkIn(const ThreadRow& head);
// The mark of one who comes into the thread: none, unless they are a party.
Result<std::optional<protocol::Time>> MarkOf(Transaction& tx, const TenantId& tenant, const ThreadRow& head,
                                             const UserId& user);

// The rows of the parties whose mark is not as the blocks are, with the right one. `head` as it will be.
Result<std::vector<ParticipantRow>> WrongMarks(Transaction& tx, const TenantId& tenant,
                                               const ThreadRow& head);

// Puts them right: a personal change of each.
Result<Decision> PutMarksRight(Transaction& tx, const TenantId& tenant, const ThreadId& thread);

}  // namespace parley::threads
