// Sends a file to S3: small ones in one request, large ones in parts, of which no memory holds any.
//
// Thread contract: blocking; any thread.
#pragma once

#include "features/files/posix_file.h"
#include "features/files/s3_client.h"

namespace parley::features {

inline constexpr int64_t kS3PartBytes = int64_t{16} << 20;

// `path`: of the object, encoded. If a part fails, the bucket is asked to forget the others.
protocol::Status UploadToS3(S3Client& client, const std::string& path, const PosixFile& file);

}  // namespace parley::features
