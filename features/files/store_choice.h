// The store that the server's options choose: a directory, or a bucket of S3.
//
// Thread contract: any thread.
#pragma once

#include <memory>
#include <string>

#include "features/files/blob_store.h"
#include "features/files/s3_settings.h"
#include "features/files/store_health.h"

namespace parley::features {

// The directory of incomplete uploads, and also of complete files unless they are in a bucket.
std::string FilesDirectory(const OptionText& option);

// An error names the option that is wrong, or the file of the key that cannot be used.
protocol::Result<std::unique_ptr<BlobStore>> MakeBlobStore(const OptionText& option, StoreHealth& health);
protocol::Status CheckStoreOptions(const OptionText& option);

}  // namespace parley::features
