// Parses the headers of tus, the protocol of resumable uploads (tus.io, version 1.0.0: core, creation,
// expiration, checksum, termination). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/base/http.h"
#include "protocol/base/result.h"

namespace parley::features {

inline constexpr std::string_view kTusVersion = "1.0.0";
inline constexpr std::string_view kTusExtensions = "creation,expiration,checksum,termination";
inline constexpr std::string_view kTusChecksums = "sha1,sha256";
inline constexpr std::string_view kTusMedia = "application/offset+octet-stream";

// A number of bytes, 0 to 2^53, without sign or blanks.
std::optional<int64_t> ParseByteCount(std::string_view text);

// Upload-Metadata: keys without blanks or commas, each with a value in base64 or none.
using TusMetadata = std::vector<std::pair<std::string, std::string>>;
inline constexpr size_t kTusMetadataBytesMax = 4096;
inline constexpr size_t kTusMetadataMax = 32;
protocol::Result<TusMetadata> ParseTusMetadata(std::string_view header);
const std::string* FindTusValue(const TusMetadata& metadata, std::string_view key);

// Upload-Checksum: the digest of one request's bytes.
struct TusChecksum {
  enum class Algorithm : uint8_t { kSha1, kSha256 } algorithm = Algorithm::kSha256;
  std::string digest;  // 20 or 32 bytes
};
protocol::Result<TusChecksum> ParseTusChecksum(std::string_view header);

// Statuses that tus defines beyond those of HTTP.
inline constexpr int kTusChecksumMismatch = 460;

// The headers of every answer to a tus request.
protocol::HttpHeaders TusHeaders();
// Those of an answer to OPTIONS. `largest`: 0: not said.
protocol::HttpHeaders TusOptions(int64_t largest);

}  // namespace parley::features
