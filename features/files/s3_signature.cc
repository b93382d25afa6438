#include "features/files/s3_signature.h"

#include <algorithm>

#include "accounts/sigv4.h"
#include "accounts/sigv4_date.h"
#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"

namespace parley::features {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view kNoPayload = "UNSIGNED-PAYLOAD";

struct Moment {
  std::string stamp, scope;  // "20130524T000000Z", "20130524/us-east-1/s3/aws4_request"
};

Moment MomentOf(const S3Settings& settings, protocol::Time now) {
  const std::string stamp = accounts::FormatBasicTime(now.ms / 1000);
  return {stamp, stamp.substr(0, 8) + "/" + settings.region + "/s3/aws4_request"};
}

// "host;range;x-amz-date". REQUIRES: names in lower case, in order.
std::string NamesIn(const Headers& headers) {
  std::string out;
  for (const auto& [name, value] : headers) out += (out.empty() ? "" : ";") + name;
  return out;
}

std::string SignatureFor(const S3Settings& settings, const S3Request& request, const Headers& headers,
                         std::string_view payload_hash, const Moment& moment) {
  std::string text =
      request.method + "\n" + request.path + "\n" + accounts::CanonicalQuery(request.query, false) + "\n";
  for (const auto& [name, value] : headers) text += name + ":" + value + "\n";
  text += "\n" + NamesIn(headers) + "\n" + std::string(payload_hash);
  const std::string to_sign = std::string(kAlgorithm) + "\n" + moment.stamp + "\n" + moment.scope + "\n" +
                              protocol::Hex(protocol::Sha256(text));
  const std::string signing_key =
      accounts::DeriveSigningKey(settings.key.secret, settings.key.id + "/" + moment.scope);
  return protocol::Hex(protocol::HmacSha256(signing_key, to_sign));
}

}  // namespace

std::string S3PathOf(const S3Settings& settings, std::string_view key) {
  std::string out = settings.base + "/";
  protocol::AppendPercentEncoded(settings.prefix + std::string(key), "/", &out);
  return out;
}

std::string S3TargetOf(const S3Request& request) {
  const std::string query = accounts::CanonicalQuery(request.query, false);
  return query.empty() ? request.path : request.path + "?" + query;
}

Headers SignS3(const S3Settings& settings, const S3Request& request, protocol::Time now) {
  const Moment moment = MomentOf(settings, now);
  const std::string hash =
      request.payload_hash.empty() ? protocol::Hex(protocol::Sha256("")) : request.payload_hash;
  Headers headers = request.headers;
  headers.emplace_back("host", settings.host);
  headers.emplace_back("x-amz-content-sha256", hash);
  headers.emplace_back("x-amz-date", moment.stamp);
  if (!settings.key.session_token.empty())
    headers.emplace_back("x-amz-security-token", settings.key.session_token);
  std::sort(headers.begin(), headers.end());
  const std::string signature = SignatureFor(settings, request, headers, hash, moment);
  headers.emplace_back("authorization", std::string(kAlgorithm) + " Credential=" + settings.key.id + "/" +
                                            moment.scope + ", SignedHeaders=" + NamesIn(headers) +
                                            ", Signature=" + signature);
  return headers;
}

std::string PresignS3(const S3Settings& settings, S3Request request, protocol::Time now, int64_t seconds) {
  const Moment moment = MomentOf(settings, now);
  request.query.emplace_back("X-Amz-Algorithm", kAlgorithm);
  request.query.emplace_back("X-Amz-Credential", settings.key.id + "/" + moment.scope);
  request.query.emplace_back("X-Amz-Date", moment.stamp);
  request.query.emplace_back("X-Amz-Expires", std::to_string(seconds));
  if (!settings.key.session_token.empty())
    request.query.emplace_back("X-Amz-Security-Token", settings.key.session_token);
  request.query.emplace_back("X-Amz-SignedHeaders", "host");
  const std::string signature =
      SignatureFor(settings, request, {{"host", settings.host}}, kNoPayload, moment);
  return settings.scheme + "://" + settings.host + S3TargetOf(request) + "&X-Amz-Signature=" + signature;
}

}  // namespace parley::features
