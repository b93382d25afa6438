// Lets cards and tabs show uploads: finds them, checks that the caller may name them, and notes in their rows
// what shows them.
//
// Thread contract: the executor's thread.
#pragma once

#include <string>
#include <vector>

#include "threads/model/caller.h"
#include "threads/model/decision.h"
#include "threads/model/file_refs.h"
#include "threads/model/file_row.h"

namespace parley::threads {

// An upload that a card or a tab names; no row: there is no such upload in the thread.
struct NamedFile {
  FileRef ref;
  std::optional<FileRow> row;
};
// The first `most` uploads that the places name.
Result<std::vector<NamedFile>> ReadNamed(const RowReader& rows, const ThreadId& thread, FilePlaces places,
                                         const protocol::Json& content, size_t most);

// An error with this code, which does not say why, unless it is a complete upload of the caller in
// this thread; the back end itself may name anybody's. UPLOAD_QUARANTINED if it failed or is in quarantine.
protocol::Status RequireMayShow(const NamedFile& file, const Caller& caller, ErrorCode code);

// The content with a copy of each of these uploads.
protocol::Json WithFiles(FilePlaces places, const protocol::Json& content,
                         const std::vector<NamedFile>& files);

void MarkShownByCard(const TenantId& tenant, const ThreadId& thread, const FileRow& before,
                     const MessageId& card, Draft* draft);
void MarkShownByTab(const TenantId& tenant, const ThreadId& thread, const FileRow& before,
                    protocol::TabName tab, Draft* draft);

}  // namespace parley::threads
