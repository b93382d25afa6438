// Finishes complete uploads whose bytes are staged, but could not be stored: the disk was full, the bucket
// did not answer, or the server ended. Their clients have nothing more to send.
//
// Thread contract: any thread.
#pragma once

#include "features/files/files.h"
#include "features/host/host.h"

namespace parley::features {

// Tries after a pause, and again until it is done, unless the upload is incomplete or has ended. The pauses
// are those of PauseAfter. If too many uploads wait, the hourly sweep brings this one back.
void StoreLater(Host& host, const protocol::TenantId& tenant, const protocol::ThreadId& thread,
                const protocol::AttachmentId& file);

}  // namespace parley::features
