// Keeps what surrounds an upload's row in step with it: when the clock looks after it, and who needs the
// stored bytes. All of it is in the commit of the row.
//
// Thread contract: the executor's thread.
#pragma once

#include <vector>

#include "threads/model/decision.h"
#include "threads/model/file_row.h"
#include "threads/model/row_reader.h"

namespace parley::threads {

inline constexpr int64_t kUnsentFileMs = int64_t{24} * 3600 * 1000;  // an upload that no message sends
inline constexpr int64_t kUnsentEvidenceMs = 30 * kUnsentFileMs;     // one in quarantine

// The time of all uploads that are `scanning` and in work: before any other, so that the clock finds them
// apart.
inline constexpr Time kScanningDue{0};

// When the clock looks after the upload next: nullopt: never, while something shows it.
std::optional<Time> DueOf(const FileRow& row);

// Writes the row, its FILEDUE# row and its FILEREF# row. `before`: nullptr: the row is new.
void WriteFile(const TenantId& tenant, const ThreadId& thread, const FileRow* before, FileRow row,
               Draft* draft);
// Replaces the FILEDUE# row that was found, which may be LeaveFiles' own, by one at `next`; nullopt: by none.
void LookAgain(const TenantId& tenant, const ThreadId& thread, const FileDue& found, FileRow row,
               const std::optional<Time>& next, Draft* draft);
// Erases all of them.
void EraseFile(const TenantId& tenant, const ThreadId& thread, const FileRow& row, Draft* draft);

// The clock looks after an upload as soon as it can, because something shows it no more.
void LeaveFile(const TenantId& tenant, const ThreadId& thread, const AttachmentId& file, Draft* draft);
// The same for all uploads of a message and of its card. `before`: the message with them.
void LeaveFiles(const TenantId& tenant, const MessageRow& before, Draft* draft);

// The uploads that a deleted message showed, which staff kept as evidence while it was flagged; none of any
// other message. They are read from its history.
Result<std::vector<AttachmentId>> FindEvidence(const RowReader& rows, const MessageRow& message);
// The clock looks after the evidence, because the message is flagged no more.
void LeaveEvidence(const TenantId& tenant, const ThreadId& thread, const std::vector<AttachmentId>& evidence,
                   Draft* draft);

}  // namespace parley::threads
