// The errors of the DynamoDB API as SDKs parse them, and the headers of every answer.
#include "gateway/dynamodb/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "gateway/dynamodb/answer.h"
#include "tests/gateway/response_text.h"

namespace parley::gateway_test {
namespace {

using gateway::CancellationReason;
using gateway::DynamoError;
using gateway::DynamoErrorType;
using gateway::ErrorBody;
using gateway::HttpResponse;

TEST(DynamoErrors, carry_amazons_namespace_and_member_names) {
  EXPECT_EQ(ErrorBody({DynamoErrorType::kValidation, "One \"or\" more\n"}),
            R"({"__type":"com.amazon.coral.validate#ValidationException","message":"One \"or\" more\n"})");
  EXPECT_EQ(ErrorBody({DynamoErrorType::kAccessDenied, "no"}),
            R"({"__type":"com.amazon.coral.service#AccessDeniedException","Message":"no"})");
  EXPECT_EQ(ErrorBody({DynamoErrorType::kSerialization, "x"}),
            R"({"__type":"com.amazon.coral.service#SerializationException","Message":"x"})");
  EXPECT_EQ(ErrorBody({DynamoErrorType::kUnknownOperation}),
            R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
  EXPECT_EQ(
      ErrorBody({DynamoErrorType::kResourceNotFound, "Requested resource not found"}),
      R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found"})");
  EXPECT_EQ(ErrorBody({DynamoErrorType::kThrottling, "slow"}),
            R"({"__type":"com.amazon.coral.availability#ThrottlingException","message":"slow"})");
}

TEST(DynamoErrors, of_a_failed_condition_carry_the_requested_item) {
  EXPECT_EQ(
      ErrorBody(
          {DynamoErrorType::kConditionalCheckFailed, "The conditional request failed", R"({"a":{"S":"b"}})"}),
      R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","Item":{"a":{"S":"b"}},)"
      R"("message":"The conditional request failed"})");
}

TEST(DynamoErrors, of_a_cancelled_transaction_carry_a_reason_for_each_action) {
  const DynamoError error = gateway::TransactionCanceled(
      {CancellationReason{},
       CancellationReason{"ConditionalCheckFailed", "The conditional request failed", R"({"a":{"N":"1"}})"}});
  EXPECT_EQ(
      ErrorBody(error),
      R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":[{"Code":"None"},)"
      R"({"Code":"ConditionalCheckFailed","Item":{"a":{"N":"1"}},"Message":"The conditional request failed"}],)"
      R"("Message":"Transaction cancelled, please refer cancellation reasons for specific reasons )"
      R"([None, ConditionalCheckFailed]"})");
}

TEST(DynamoErrors, have_distinct_names_and_the_status_by_which_sdks_decide_to_retry) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < gateway::kDynamoErrorTypeCount; ++i) {
    const auto& info = Describe(static_cast<DynamoErrorType>(i));
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    const bool ours = info.type == DynamoErrorType::kInternalServerError;
    const bool away = info.type == DynamoErrorType::kServiceUnavailable;
    const bool large = info.type == DynamoErrorType::kRequestTooLarge;
    const bool coded = info.type == DynamoErrorType::kUnsupportedCoding;
    EXPECT_EQ(info.http_status, ours ? 500 : away ? 503 : large ? 413 : coded ? 415 : 400) << info.name;
  }
}

// The check value of CRC-32 (ISO 3309), and the header that Amazon sends for an empty object.
TEST(DynamoAnswers, carry_the_checksum_of_their_body) {
  EXPECT_EQ(gateway::Crc32("123456789"), 0xcbf43926u);
  EXPECT_EQ(gateway::Crc32(""), 0u);
  const HttpResponse answer = gateway::DynamoAnswer("{}");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(HeaderOf(answer, "x-amz-crc32"), "2745614147");
  EXPECT_EQ(HeaderOf(answer, "Content-Type"), "application/x-amz-json-1.0");
  const HttpResponse refusal = gateway::DynamoRefusal({DynamoErrorType::kInternalServerError, "x"});
  EXPECT_EQ(refusal.status, 500);
  EXPECT_EQ(HeaderOf(refusal, "x-amz-crc32"), std::to_string(gateway::Crc32(refusal.body)));
}

TEST(DynamoAnswers, carry_a_unique_request_id) {
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) {
    const std::string id = HeaderOf(gateway::DynamoAnswer("{}"), "x-amzn-RequestId");
    EXPECT_EQ(id.size(), 52u);
    EXPECT_EQ(id.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUV"), std::string::npos) << id;
    EXPECT_TRUE(ids.insert(id).second);
  }
}

}  // namespace
}  // namespace parley::gateway_test
