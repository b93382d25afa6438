// The part that an upload has in the quotas of its user and of its tenant: a question to the checks of
// features, as other charges are (engine/charge.h).
//
// Thread contract: the executor's thread.
#pragma once

#include "threads/engine/transaction.h"
#include "threads/model/file_row.h"

namespace parley::threads {

// A change of one upload. Rejected only if it `is_new`: with RATE_LIMITED or ATTACHMENT_TOO_LARGE, with
// `fields.limit` and `fields.left`.
struct FileCharge {
  using Answer = Charge::Answer;
  UserId by;
  Time begun_at;
  bool is_new = false;
  int64_t uploads = 0;       // begun
  int64_t upload_bytes = 0;  // their sizes; negative: one was cancelled, or failed
  int64_t open_uploads = 0;  // incomplete uploads
  int64_t stored_bytes = 0;  // the tenant's

  bool changes_nothing() const {
    return uploads == 0 && upload_bytes == 0 && open_uploads == 0 && stored_bytes == 0;
  }
};

// The bytes of an upload that count against the quotas of its thread and its tenant.
int64_t CountedBytes(const FileRow& row);

// `before`: nullptr: the upload is new. `after`: nullptr: its row is erased.
FileCharge ChargeFor(const FileRow* before, const FileRow* after);

// Call it for every change of an upload's row, before the command decides.
protocol::Status ChargeFile(Transaction& tx, const TenantId& tenant, const FileRow* before,
                            const FileRow* after);

}  // namespace parley::threads
