// What staff do to the content of a message: it is withheld, given back, or redacted. Redacted text is gone:
// from the message, from what was kept of it before its edits, from the line that inboxes show, and from the
// pins. What stays is a stub in its place, the SHA-256 of what was there, and who did it.
//
// Pure functions, but for the reader.
#pragma once

#include <string>
#include <vector>

#include "threads/model/decision.h"
#include "threads/model/row_reader.h"

namespace parley::threads {

inline constexpr std::string_view kRedactedBody = "[redacted]";
inline constexpr std::string_view kBlockedBody = "[withheld]";

// What was kept of a message, without what it said: HIST# rows that are to be written, and ORIG# rows that
// go.
Result<std::vector<storage::RowWrite>> EmptiedHistory(const RowReader& rows, const ThreadId& thread,
                                                      const MessageId& message);

// Sets what the message is to be; nothing of it is written. A message that is redacted stays so. Returns the
// SHA-256 (AuditHash) of what was there before, where it is redacted.
std::string SetModeration(protocol::Moderation moderation, MessageRow* row);

// The message, which differs from the row before, and all that follows from it. Returns it as stored.
// `emptied`: of EmptiedHistory, where it is redacted now.
protocol::Message ContentChanged(MessageRow row, std::vector<storage::RowWrite> emptied, Draft* draft);

}  // namespace parley::threads
