// Looks after an upload when it is due: ends one that stopped, forgets one that nobody sent, and one whose
// message is gone.
//
// Thread contract: the executor's thread.
#pragma once

#include "threads/engine/transaction.h"
#include "threads/model/file_row.h"

namespace parley::threads {

struct FileSweep {
  FileDue due;                     // the FILEDUE# row that was found
  std::optional<Time> touched_at;  // when the last byte came; nullopt: none did
  bool held = false;               // a case about its message is open
};

// The work on the bytes that remains after the commit.
struct FileSwept {
  protocol::Omit<bool> gone;                // true: the row was erased, and staged bytes may go
  protocol::Omit<protocol::Text<64>> blob;  // stored bytes that this upload needs no more
  protocol::Omit<bool> scan;                // true: it is complete, and its work did not end
  protocol::Omit<bool> ready;               // true: its wait for a band is over, so it is ready
  static constexpr void Fields(auto& field) {
    field("gone", &FileSwept::gone, "");
    field("blob", &FileSwept::blob, "");
    field("scan", &FileSwept::scan, "");
    field("ready", &FileSwept::ready, "");
  }
};

// The answer is a FileSwept. Files of a message that is flagged or `held` stay.
Result<Decision> SweepFile(Transaction& tx, const TenantId& tenant, const FileSweep& sweep);

// When an incomplete upload ends: a day after its last byte, a week after it began at the latest.
Time UploadEnd(const FileRow& row, const std::optional<Time>& touched);

}  // namespace parley::threads
