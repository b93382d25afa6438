#include "bench/tables/signer.h"

#include <array>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"

namespace parley::bench {
namespace {

constexpr std::string_view kContentType = "application/x-amz-json-1.0";
constexpr std::string_view kSigned = "content-type;host;x-amz-date;x-amz-target";

std::string Timestamp(std::time_t now) {
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &utc)};
}

}  // namespace

RequestSigner::RequestSigner(const TableCredentials& credentials, std::string host, std::time_t now)
    : host_(std::move(host)),
      timestamp_(Timestamp(now)),
      scope_(timestamp_.substr(0, 8) + "/us-east-1/dynamodb/aws4_request"),
      access_key_id_(credentials.access_key_id),
      key_("AWS4" + credentials.secret) {
  for (const std::string_view part : {std::string_view(scope_).substr(0, 8), std::string_view("us-east-1"),
                                      std::string_view("dynamodb"), std::string_view("aws4_request")})
    key_ = protocol::HmacSha256(key_, part);
}

std::string RequestSigner::Request(std::string_view operation, std::string_view body) const {
  const std::string target = "DynamoDB_20120810." + std::string(operation);
  std::string canonical = "POST\n/\n\ncontent-type:";
  canonical.append(kContentType).append("\nhost:").append(host_);
  canonical.append("\nx-amz-date:").append(timestamp_).append("\nx-amz-target:").append(target);
  canonical.append("\n\n").append(kSigned).append("\n").append(protocol::Hex(protocol::Sha256(body)));
  const std::string to_sign =
      "AWS4-HMAC-SHA256\n" + timestamp_ + "\n" + scope_ + "\n" + protocol::Hex(protocol::Sha256(canonical));
  std::string request = "POST / HTTP/1.1\r\nHost: " + host_ + "\r\nContent-Type: ";
  request.append(kContentType).append("\r\nX-Amz-Target: ").append(target);
  request.append("\r\nX-Amz-Date: ").append(timestamp_);
  request.append("\r\nAuthorization: AWS4-HMAC-SHA256 Credential=").append(access_key_id_).append("/");
  request.append(scope_).append(", SignedHeaders=").append(kSigned).append(", Signature=");
  request.append(protocol::Hex(protocol::HmacSha256(key_, to_sign)));
  request.append("\r\nContent-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
  return request.append(body);
}

}  // namespace parley::bench
