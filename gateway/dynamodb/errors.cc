#include "gateway/dynamodb/errors.h"

#include <array>

#include "protocol/base/json_text.h"

namespace parley::gateway {
namespace {

using T = DynamoErrorType;

constexpr std::string_view kService = "com.amazon.coral.service";
constexpr std::string_view kValidate = "com.amazon.coral.validate";
constexpr std::string_view kAvailability = "com.amazon.coral.availability";
constexpr std::string_view kTables = "com.amazonaws.dynamodb.v20120810";

constexpr std::array<DynamoErrorInfo, kDynamoErrorTypeCount> kErrorInfos = {{
    {T::kMissingAuthenticationToken, "MissingAuthenticationTokenException", kService, 400, "message"},
    {T::kIncompleteSignature, "IncompleteSignatureException", kService, 400, "message"},
    {T::kUnrecognizedClient, "UnrecognizedClientException", kService, 400, "message"},
    {T::kInvalidSignature, "InvalidSignatureException", kService, 400, "message"},
    {T::kAccessDenied, "AccessDeniedException", kService, 400, "Message"},
    {T::kUnknownOperation, "UnknownOperationException", kService, 400, "message"},
    {T::kSerialization, "SerializationException", kService, 400, "Message"},
    {T::kValidation, "ValidationException", kValidate, 400, "message"},
    {T::kRequestTooLarge, "RequestEntityTooLargeException", kService, 413, "message"},
    {T::kUnsupportedCoding, "UnsupportedMediaTypeException", kService, 415, "message"},
    {T::kResourceNotFound, "ResourceNotFoundException", kTables, 400, "message"},
    {T::kTableNotFound, "TableNotFoundException", kTables, 400, "message"},
    {T::kResourceInUse, "ResourceInUseException", kTables, 400, "message"},
    {T::kLimitExceeded, "LimitExceededException", kTables, 400, "message"},
    {T::kConditionalCheckFailed, "ConditionalCheckFailedException", kTables, 400, "message"},
    {T::kTransactionCanceled, "TransactionCanceledException", kTables, 400, "Message"},
    {T::kTransactionConflict, "TransactionConflictException", kTables, 400, "message"},
    {T::kTransactionInProgress, "TransactionInProgressException", kTables, 400, "Message"},
    {T::kIdempotentParameterMismatch, "IdempotentParameterMismatchException", kTables, 400, "Message"},
    {T::kItemCollectionSizeLimitExceeded, "ItemCollectionSizeLimitExceededException", kTables, 400,
     "message"},
    {T::kThrottling, "ThrottlingException", kAvailability, 400, "message"},
    {T::kProvisionedThroughputExceeded, "ProvisionedThroughputExceededException", kTables, 400, "message"},
    {T::kRequestLimitExceeded, "RequestLimitExceeded", kTables, 400, "message"},
    {T::kServiceUnavailable, "ServiceUnavailableException", kAvailability, 503, "message"},
    {T::kInternalServerError, "InternalServerError", kTables, 500, "message"},
}};

constexpr bool IsInOrder() {
  for (size_t i = 0; i < kErrorInfos.size(); ++i) {
    if (kErrorInfos[i].type != static_cast<DynamoErrorType>(i)) return false;
  }
  return true;
}
static_assert(IsInOrder());

// Adds a member to an open object, unless `json` is empty.
void AddMember(std::string_view name, std::string_view json, std::string* object) {
  if (json.empty()) return;
  if (object->back() != '{') *object += ',';
  *object += '"';
  *object += name;
  *object += "\":";
  *object += json;
}

std::string TextOrNothing(std::string_view text) {
  return text.empty() ? std::string() : protocol::JsonText(text);
}

std::string ReasonsJson(const std::vector<CancellationReason>& reasons) {
  if (reasons.empty()) return {};
  std::string out = "[";
  for (const CancellationReason& reason : reasons) {
    if (out.size() > 1) out += ',';
    out += '{';
    AddMember("Code", protocol::JsonText(reason.code), &out);
    AddMember("Item", reason.item, &out);
    AddMember("Message", TextOrNothing(reason.message), &out);
    out += '}';
  }
  return out + "]";
}

}  // namespace

const DynamoErrorInfo& Describe(DynamoErrorType type) {
  return kErrorInfos[static_cast<size_t>(type)];
}

DynamoError TransactionCanceled(std::vector<CancellationReason> reasons) {
  DynamoError error{T::kTransactionCanceled};
  error.message = "Transaction cancelled, please refer cancellation reasons for specific reasons [";
  for (size_t i = 0; i < reasons.size(); ++i) error.message += (i > 0 ? ", " : "") + reasons[i].code;
  error.message += "]";
  error.reasons = std::move(reasons);
  return error;
}

std::string ErrorBody(const DynamoError& error) {
  const DynamoErrorInfo& info = Describe(error.type);
  std::string out = "{";
  AddMember("__type", protocol::JsonText(std::string(info.space) + "#" + std::string(info.name)), &out);
  AddMember("CancellationReasons", ReasonsJson(error.reasons), &out);
  AddMember("Item", error.item, &out);
  AddMember(info.message_key, TextOrNothing(error.message), &out);
  return out + "}";
}

}  // namespace parley::gateway
