// Moves an upload from one state to the next, and with it the copies in what shows it.
//
// Thread contract: the executor's thread.
#pragma once

#include "threads/engine/transaction.h"
#include "threads/model/file_row.h"

namespace parley::threads {

// The facts of the complete bytes.
struct StoredFile {
  protocol::Text<64> blob;  // the name of the bytes in the files' store
  protocol::Text<64> sha256;
  int64_t size = 0;
  std::optional<protocol::Pixels> w = {}, h = {};
  protocol::Omit<int64_t> duration_ms = {};
};

struct FileMove {
  ThreadId thread;
  AttachmentId id;
  std::optional<FileState> to = {};       // nullopt: the state stays
  std::optional<FileState> from = {};     // ACTION_INVALID_STATE unless the upload is in this state
  std::optional<StoredFile> stored = {};  // REQUIRED for kScanning
  std::optional<protocol::List<protocol::FileVariant, 3>> variants = {};
  std::optional<int64_t> band = {};
  std::optional<int64_t> first_band = {};  // the band, unless it was judged already
  // Images and video get no first band. One without a band stays `scanning` for this time instead of
  // becoming `ready`, or until it is judged.
  std::optional<int64_t> band_patience_ms = {};
  std::string reason = {};
  // The scanner, or the service in its place, has examined the bytes. Other moves take no upload from
  // `scanning` to `ready`.
  bool scanned = false;
  bool by_scanner = false;           // the scanner found something
  bool condemns = false;             // quarantine holds for all uploads with the same bytes, and its end, too
  bool by_mark = false;              // the upload follows the mark of its bytes (condemn.h)
  std::optional<Caller> staff = {};  // the staff member who decided; their act is audited
};

// The answer is an AttachmentReply. An upload that has reached the state already, with the same facts, stays
// as it is. One that was put into quarantine before it was scanned becomes `scanning` again if `ready` is
// asked for; one that waited for its band only becomes `ready` with it. One with condemned bytes goes into
// quarantine instead, unless the move ends that. The tenant's back end gets events about `scanning` and
// `ready`. NOT_FOUND; ACTION_INVALID_STATE if the move is not possible.
Result<Decision> MoveFile(Transaction& tx, const TenantId& tenant, const FileMove& move);

}  // namespace parley::threads
