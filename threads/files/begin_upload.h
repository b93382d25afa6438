// Begins an upload: writes its row before a byte of it is accepted.
//
// Thread contract: the executor's thread.
#pragma once

#include "threads/engine/transaction.h"
#include "threads/model/file_row.h"

namespace parley::threads {

struct UploadWish {
  ThreadId thread;
  AttachmentId id;
  protocol::Text<255> name;
  protocol::Text<127> mime;
  int64_t size = 0;
  protocol::Omit<protocol::Text<64>> sha256 = {};  // hexadecimal
  bool keep_metadata = false;
  int64_t thread_bytes_max = 0;  // the quota of the thread
};

// The row of an upload that begins.
FileRow RowFor(const UploadWish& wish, const UserId& by, Time now);

// The answer is an AttachmentReply. Rejects callers who may not send files to the thread, with the errors of
// a message; with `fields.limit` and `fields.left`, ATTACHMENT_TOO_LARGE if the thread or the tenant has no
// room, and RATE_LIMITED if the user has no room today or too many incomplete uploads.
Result<Decision> BeginUpload(Transaction& tx, const Caller& caller, const UploadWish& wish);

}  // namespace parley::threads
