// What staff do to the content of a message: it is withheld, given back, or redacted. Redacted text is gone:
// from the message, from what was kept of it before its edits and for appeals, from the line that inboxes
// show, and from the pins. What stays is a stub in its place, the SHA-256 of what was there, and who did it.
// Of a card its type and state stay; its payload goes, and what was said with its intents.
//
// Pure functions, but for the reader.
#pragma once

#include <string>
#include <vector>

#include "threads/cards/change_card.h"
#include "threads/model/decision.h"
#include "threads/model/row_reader.h"

namespace parley::threads {

inline constexpr std::string_view kRedactedBody = "[redacted]";
inline constexpr std::string_view kBlockedBody = "[withheld]";

// What else holds the content of a message that is redacted.
struct Kept {
  std::vector<storage::RowWrite> emptied;  // HIST# and AUD# rows without what was said, ORIG# rows that go
  std::optional<CardRow> card;             // of a message that belongs to one
};
Result<Kept> FindKept(const RowReader& rows, const ThreadId& thread, const MessageId& message);

// Sets what the message is to be; nothing of it is written. A message that is redacted stays so. Returns the
// SHA-256 (AuditHash) of what was there before, where it is redacted.
std::string SetModeration(protocol::Moderation moderation, MessageRow* row);

// The message, which differs from the row before, and all that follows from it. Returns it as stored. `kept`:
// of FindKept, where it is redacted now.
protocol::Message ContentChanged(MessageRow row, Kept kept, const CardDoer& doer, CardWriter* cards,
                                 Draft* draft);

}  // namespace parley::threads
