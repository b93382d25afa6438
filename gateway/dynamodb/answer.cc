#include "gateway/dynamodb/answer.h"

#include <zlib.h>

#include <utility>

#include "protocol/base/crypto.h"

namespace parley::gateway {
namespace {

constexpr size_t kRequestIdSize = 52;

HttpResponse WithHeaders(int status, std::string body) {
  const std::string crc = std::to_string(Crc32(body));
  return {status,
          {{"Content-Type", std::string(kDynamoContentType)},
           {"x-amzn-RequestId", NewDynamoRequestId()},
           {"x-amz-crc32", crc}},
          std::move(body)};
}

}  // namespace

HttpResponse DynamoAnswer(std::string body) {
  return WithHeaders(200, std::move(body));
}

HttpResponse DynamoRefusal(const DynamoError& error) {
  return WithHeaders(Describe(error.type).http_status, ErrorBody(error));
}

std::string NewDynamoRequestId() {
  constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
  std::string out = protocol::RandomBytes(kRequestIdSize);
  for (char& c : out) c = kDigits[static_cast<unsigned char>(c) & 31];
  return out;
}

uint32_t Crc32(std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

}  // namespace parley::gateway
