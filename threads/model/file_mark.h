// Condemned bytes: while a FILEMARK row of stored bytes exists, every upload of the tenant with these bytes
// is in quarantine, also one that comes later. FILESPREAD rows name the changes of a mark that have not
// reached all uploads yet.
#pragma once

#include <optional>
#include <string>

#include "protocol/attachment.h"
#include "threads/model/file_row.h"
#include "threads/model/row_reader.h"

namespace parley::threads {

struct FileMark {
  Time at;
  protocol::Text<200> reason;
  protocol::Omit<bool> by_scanner;  // true: the scanner found something; only staff lift the mark
  static constexpr void Fields(auto& field) {
    field("at", &FileMark::at, "");
    field("reason", &FileMark::reason, "");
    field("byScanner", &FileMark::by_scanner, "");
  }
};

// FILEMARK, in the partition of the stored bytes (BlobPartition).
storage::SortKey FileMarkKey();
// nullopt: the bytes are not condemned.
Result<std::optional<FileMark>> ReadMark(const RowReader& rows, std::string_view blob);
// The FILEREF# rows of the partition.
storage::SortRange FileRefs();
bool ParseFileRefKey(std::string_view sort, AttachmentId* out);

// FILESPREAD#{threadId}#{attachmentId}: the upload by which the mark was set or lifted last. Its thread
// writes and erases the row.
struct FileSpread {
  ThreadId thread;
  AttachmentId file;
  protocol::Text<64> blob;
  protocol::AuditId stamp;  // identifies the change
  static constexpr void Fields(auto& field) {
    field("thread", &FileSpread::thread, "");
    field("file", &FileSpread::file, "");
    field("blob", &FileSpread::blob, "");
    field("stamp", &FileSpread::stamp, "");
  }
};
storage::PartitionKey FileSpreadPartition(const TenantId& tenant);
storage::SortKey FileSpreadKey(const ThreadId& thread, const AttachmentId& file);

}  // namespace parley::threads
