// Blobs as objects of a bucket, with the keys PREFIX{tenant}/{name}.
#pragma once

#include <memory>

#include "features/files/blob_store.h"
#include "features/files/s3_settings.h"
#include "features/files/store_health.h"

namespace parley::features {

std::unique_ptr<BlobStore> NewS3Blobs(S3Settings settings, StoreHealth& health);

}  // namespace parley::features
