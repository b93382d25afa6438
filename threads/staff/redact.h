// Withholds, restores and redacts the content of a message. Redacted text is removed from the message, from
// its history and the originals kept for appeals, from the line that inboxes show, and from the pins. A stub
// remains in its place; the audit has the SHA-256 of the content and the id of the staff member. A card keeps
// its type and state, but loses its payload and the notes of its intents.
//
// Pure functions, except for the reader.
#pragma once

#include <string>
#include <vector>

#include "threads/cards/change_card.h"
#include "threads/model/decision.h"
#include "threads/model/row_reader.h"

namespace parley::threads {

inline constexpr std::string_view kRedactedBody = "[redacted]";
inline constexpr std::string_view kBlockedBody = "[withheld]";

// Other rows with the content of a message that is redacted.
struct Kept {
  std::vector<storage::RowWrite> emptied;  // HIST# and AUD# rows without the content; ORIG# rows to remove
  std::optional<CardRow> card;             // the message's card, if it has one
};
Result<Kept> FindKept(const RowReader& rows, const ThreadId& thread, const MessageId& message);

// Changes the row without writing it. A redacted message stays redacted. Returns the SHA-256 (AuditHash) of
// the former content if it is redacted now.
std::string SetModeration(protocol::Moderation moderation, MessageRow* row);

// Writes the changed message and everything that follows from it, and returns it as stored. `kept`: the
// result of FindKept if it is redacted now.
protocol::Message ContentChanged(MessageRow row, Kept kept, const CardDoer& doer, CardWriter* cards,
                                 Draft* draft);

}  // namespace parley::threads
