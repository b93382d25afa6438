// Takes a complete file from `scanning` to `ready`: scans it, judges it, makes its variants.
//
// Thread contract: the host's thread.
#pragma once

#include <functional>

#include "features/host/host.h"
#include "threads/files/move_file.h"

namespace parley::features {

// Moves the file's row; `then` gets the answer.
void SubmitMove(Host& host, const protocol::TenantId& tenant, threads::FileMove move,
                std::function<void(const threads::Answer&)> then);

// Ends an incomplete upload and removes its bytes. ACTION_INVALID_STATE if it is complete.
void CancelUpload(Host& host, const protocol::TenantId& tenant, const protocol::ThreadId& thread,
                  const protocol::AttachmentId& file, std::function<void(const threads::Answer&)> then);

// Makes a file ready that was not judged in time: members see it blurred.
void EndPatience(Host& host, const protocol::TenantId& tenant, const protocol::ThreadId& thread,
                 const protocol::AttachmentId& file);

// Starts the work, unless it is running already. A stage that fails is repeated, and the clock starts the
// work again after a restart.
void ProcessFile(Host& host, const protocol::TenantId& tenant, const protocol::ThreadId& thread,
                 const protocol::AttachmentId& file);

}  // namespace parley::features
