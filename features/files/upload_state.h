// Reads an upload for a request that comes with its link, and decides whether the request may go on.
//
// Thread contract: any thread; the reader is one snapshot.
#pragma once

#include "features/files/links.h"
#include "features/files/settings.h"
#include "features/files/staging.h"
#include "features/host/host.h"
#include "threads/files/sweep_file.h"
#include "threads/model/file_row.h"

namespace parley::features {

using threads::UploadEnd;

// The row, if the upload exists and its uploader may still send files to the thread: NOT_FOUND,
// THREAD_NOT_MEMBER, FORBIDDEN, UNAVAILABLE.
protocol::Result<threads::FileRow> ReadUpload(const Host& host, const storage::Reader& reader,
                                              const UploadLink& link);

inline bool IsComplete(const threads::FileRow& row) {
  return row.state() != threads::FileState::kRequested && row.state() != threads::FileState::kUploading;
}

inline constexpr size_t kUploadBytesMax = kFileBytesMax;

}  // namespace parley::features
