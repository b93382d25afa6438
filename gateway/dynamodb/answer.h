// What every answer of the DynamoDB API carries besides its body. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gateway/dynamodb/counted_answer.h"
#include "gateway/dynamodb/errors.h"
#include "gateway/net/transport.h"

namespace parley::gateway {

inline constexpr std::string_view kDynamoContentType = "application/x-amz-json-1.0";

// With Content-Type, nosniff, x-amzn-RequestId, and x-amz-crc32, by which SDKs notice a damaged body; a
// refusal that passes with Retry-After, for which SDKs wait.
HttpResponse DynamoAnswer(DynamoBody body);  // counts no more for what is held
HttpResponse DynamoRefusal(const DynamoError& error);

// 52 characters of 0-9A-V, random.
std::string NewDynamoRequestId();
uint32_t Crc32(std::string_view bytes);

}  // namespace parley::gateway
