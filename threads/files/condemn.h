// Condemns stored bytes and lifts that again: sets the mark of the bytes, and brings the uploads with them in
// line, one thread after another.
//
// Thread contract: the executor's thread.
#pragma once

#include <optional>
#include <string>

#include "threads/engine/transaction.h"
#include "threads/model/file_mark.h"

namespace parley::threads {

// Sets the mark in the command's commit, and notes that it must spread; nullopt: lifts it. `from`: the upload
// whose thread the command belongs to.
struct MarkChange {
  ThreadId thread;
  AttachmentId from;
  std::string blob;
  std::optional<FileMark> mark = {};
};
void ChangeMark(const TenantId& tenant, const MarkChange& change, protocol::IdSource* ids, Draft* draft);

// Condemns the bytes of all uploads of the message, because staff redact it as illegal.
void CondemnFiles(const TenantId& tenant, const MessageRow& before, const std::string& reason,
                  protocol::IdSource* ids, Draft* draft);

// Moves one upload with these bytes into quarantine if they are condemned, and out of it if they are
// condemned no longer. The answer is an AttachmentReply, or empty if nothing changes.
Result<Decision> BringInLine(Transaction& tx, const TenantId& tenant, const ThreadId& thread,
                             const AttachmentId& file, const std::string& blob);
// Erases the FILESPREAD# row after all uploads are in line, unless the mark has changed again by the same
// one.
Result<Decision> EndSpread(Transaction& tx, const TenantId& tenant, const FileSpread& spread);

}  // namespace parley::threads
