// The first stage of the work on a complete file: no other stage sees bytes that the scanner has not passed.
//
// Thread contract: the host's thread.
#pragma once

#include <functional>

#include "features/files/files.h"
#include "features/host/host.h"
#include "threads/model/file_row.h"

namespace parley::features {

// Calls `passed` once the file is clean, or at once if no program scans. Puts a file into quarantine in which
// the scanner finds something, or which is too large for it, or which it fails to scan several times although
// it answers. Waits while it does not answer.
void ScanFile(Host& host, const FileWorkPtr& work, std::function<void()> passed);

// The row of the file, for stages; nullopt if its work has ended. Blocking; any thread.
protocol::Result<std::optional<threads::FileRow>> ReadScanning(const Files& files, const FileWork& work);

}  // namespace parley::features
