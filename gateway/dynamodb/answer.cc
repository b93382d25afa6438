#include "gateway/dynamodb/answer.h"

#include <zlib.h>

#include <random>
#include <utility>

#include "protocol/base/crypto.h"

namespace parley::gateway {
namespace {

constexpr size_t kRequestIdSize = 52;
constexpr size_t kDigitsOfDraw = 12;  // five bits each

std::mt19937_64 Seeded() {
  uint64_t seed = 0;
  protocol::RandomBytes(reinterpret_cast<uint8_t*>(&seed), sizeof seed);
  return std::mt19937_64(seed);
}

HttpResponse WithHeaders(int status, DynamoBody body) {
  const std::string crc = std::to_string(body.crc ? *body.crc : Crc32(body.text));
  HttpResponse response{status,
                        {{"Content-Type", std::string(kDynamoContentType)},
                         {"X-Content-Type-Options", "nosniff"},
                         {"x-amzn-RequestId", NewDynamoRequestId()},
                         {"x-amz-crc32", crc}},
                        std::move(body.text)};
  response.corr_id = response.headers[2].second;
  return response;
}

}  // namespace

HttpResponse DynamoAnswer(DynamoBody body) {
  const int status = body.status;
  return WithHeaders(status, std::move(body));
}

HttpResponse DynamoRefusal(const DynamoError& error) {
  HttpResponse answer = WithHeaders(Describe(error.type).http_status, ErrorBody(error));
  if (error.retry_after_ms > 0)
    answer.headers.emplace_back("Retry-After", std::to_string((error.retry_after_ms + 999) / 1000));
  return answer;
}

std::string NewDynamoRequestId() {
  constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
  // An id only tells answers apart, so a fast generator will do: drawing it from the system's randomness took
  // a twentieth of a GetItem.
  thread_local std::mt19937_64 random = Seeded();
  std::string out(kRequestIdSize, '0');
  uint64_t bits = 0;
  for (size_t i = 0; i < out.size(); ++i, bits >>= 5) {
    if (i % kDigitsOfDraw == 0) bits = random();
    out[i] = kDigits[bits & 31];
  }
  return out;
}

uint32_t Crc32(std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

}  // namespace parley::gateway
