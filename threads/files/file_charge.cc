#include "threads/files/file_charge.h"

namespace parley::threads {
namespace {

int64_t OpenIn(const FileRow& row) {
  return row.state() == FileState::kRequested || row.state() == FileState::kUploading ? 1 : 0;
}

// The upload brought no file, so its bytes do not count for the day.
bool IsVoid(const FileRow& row) {
  return row.state() == FileState::kCancelled || row.state() == FileState::kFailed;
}

}  // namespace

int64_t CountedBytes(const FileRow& row) {
  return HasNoBytes(row.state()) ? 0 : row.item.size.value.value_or(0);
}

FileCharge ChargeFor(const FileRow* before, const FileRow* after) {
  const FileRow& known = before ? *before : *after;
  FileCharge charge;
  charge.by = known.by;
  charge.begun_at = known.begun_at;
  charge.is_new = !before;
  if (!before && OpenIn(*after) > 0) {
    charge.uploads = 1;
    charge.upload_bytes = after->declared_size;
  } else if (before && after && IsVoid(*after) && !IsVoid(*before)) {
    charge.upload_bytes = -before->declared_size;
  }
  charge.open_uploads = (after ? OpenIn(*after) : 0) - (before ? OpenIn(*before) : 0);
  charge.stored_bytes = (after ? CountedBytes(*after) : 0) - (before ? CountedBytes(*before) : 0);
  return charge;
}

protocol::Status ChargeFile(Transaction& tx, const TenantId& tenant, const FileRow* before,
                            const FileRow* after) {
  const FileCharge charge = ChargeFor(before, after);
  return charge.changes_nothing() ? protocol::Ok() : tx.PayFor(tenant, charge);
}

}  // namespace parley::threads
