// Sends a range of a blob as the body of an answer: the disk threads read it piece by piece, as fast as the
// peer takes it.
//
// Thread contract: the host's thread.
#pragma once

#include <memory>

#include "features/files/blob_store.h"
#include "features/files/byte_range.h"
#include "features/files/files.h"
#include "protocol/base/http.h"

namespace parley::features {

std::shared_ptr<protocol::BodySource> NewBlobSource(Host& host, const protocol::TenantId& tenant,
                                                    std::unique_ptr<BlobReader> blob, ByteRange range);

}  // namespace parley::features
