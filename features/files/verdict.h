// Decisions about files by staff and by a tenant's back end: whether members may have a file, and its band.
//
// Thread contract: the host's thread, except for the first two functions, which any thread may call.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "features/files/scanner.h"
#include "features/host/host.h"
#include "features/host/operation.h"
#include "threads/files/move_file.h"

namespace parley::features {

struct LocatedFile {
  protocol::ThreadId thread;
  threads::FileRow row;
};
// NOT_FOUND.
protocol::Result<LocatedFile> LocateFile(const threads::RowReader& rows, const protocol::AttachmentId& file);

struct Verdict {
  protocol::AttachmentId file;
  std::optional<threads::FileState> state = {};  // nullopt: it stays
  std::optional<int64_t> band = {};              // nullopt: it stays
  std::string reason = {};
  std::optional<threads::Caller> staff = {};  // nullopt: a back end decides
};
// BAD_REQUEST; ACTION_INVALID_STATE if the upload has no complete bytes. `scans`: who scans files.
protocol::Result<threads::FileMove> MoveForVerdict(const LocatedFile& found, const Verdict& verdict,
                                                   ScanChoice::By scans);

// Finds the file, decides, and starts the scan of a file that left quarantine without one. `then` gets an
// AttachmentReply.
void SubmitVerdict(Host& host, const protocol::TenantId& tenant, const ReadRoad& road, Verdict verdict,
                   Done then);

Operation ModerationFileOp();

}  // namespace parley::features
