// Examines and cleans the bytes of a complete upload, and stores them.
//
// Thread contract: blocking; any thread that has claimed the upload.
#pragma once

#include <functional>
#include <memory>

#include "features/files/files.h"
#include "features/files/staging.h"
#include "threads/files/move_file.h"

namespace parley::features {

// Removes metadata, unless the uploader wants to keep it. UNSUPPORTED_TYPE if the bytes are not of the
// declared type, not the declared bytes, or cannot be cleaned: the upload has failed for good. Other errors:
// a later call may succeed. The bytes are pinned until the caller calls Files::Unpin.
protocol::Result<threads::StoredFile> StoreUpload(const StagedFile& staged, const protocol::TenantId& tenant,
                                                  const threads::FileRow& row, Files& files);

// The same on a work thread; then moves the upload to `scanning` and starts its processing, or to `failed`.
// `then` gets why not, on the host's thread, which also calls this. REQUIRES: the caller has claimed the
// upload, and holds the claim until `then`.
void FinishUpload(Host& host, const UploadLink& link, const threads::FileRow& row,
                  std::shared_ptr<const StagedFile> staged, std::function<void(protocol::Status)> then);

}  // namespace parley::features
