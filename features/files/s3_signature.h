// Signs requests to S3 with AWS Signature Version 4. Pure functions; the time is an argument.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accounts/sigv4_canonical.h"
#include "features/files/s3_settings.h"
#include "protocol/base/time.h"

namespace parley::features {

struct S3Request {
  std::string method = "GET";
  std::string path;                                               // encoded
  accounts::QueryParameters query = {};                           // not encoded
  std::vector<std::pair<std::string, std::string>> headers = {};  // beyond those of the signature
  std::string payload_hash = {};  // the body's SHA-256 in hexadecimal; empty: no body
};

// "/BASE/PREFIXkey", encoded.
std::string S3PathOf(const S3Settings& settings, std::string_view key);

// "path?query", encoded as it is signed.
std::string S3TargetOf(const S3Request& request);

// All headers to send, with Authorization; Host is among them.
std::vector<std::pair<std::string, std::string>> SignS3(const S3Settings& settings, const S3Request& request,
                                                        protocol::Time now);

// A URL that allows anybody this one request without headers, for so many seconds.
std::string PresignS3(const S3Settings& settings, S3Request request, protocol::Time now, int64_t seconds);

}  // namespace parley::features
