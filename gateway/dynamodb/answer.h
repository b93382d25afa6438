// Makes the HTTP answers of the DynamoDB API. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gateway/dynamodb/counted_answer.h"
#include "gateway/dynamodb/errors.h"
#include "gateway/net/transport.h"

namespace parley::gateway {

inline constexpr std::string_view kDynamoContentType = "application/x-amz-json-1.0";

// Both add Content-Type, nosniff, x-amzn-RequestId, and x-amz-crc32, by which SDKs detect a damaged body. A
// refusal that is temporary has Retry-After, which SDKs obey.
HttpResponse DynamoAnswer(DynamoBody body);  // releases the body's share of the readers' budget
HttpResponse DynamoRefusal(const DynamoError& error);

// 52 characters of 0-9A-V, random.
std::string NewDynamoRequestId();
uint32_t Crc32(std::string_view bytes);

}  // namespace parley::gateway
