// Lists the errors of the DynamoDB API: a closed set with Amazon's names, namespaces and statuses, since
// programs compare them. Pure data, any thread.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace parley::gateway {

enum class DynamoErrorType : uint8_t {
  // Errors of the credential
  kMissingAuthenticationToken,
  kIncompleteSignature,
  kUnrecognizedClient,
  kInvalidSignature,
  kAccessDenied,
  // Errors of the request
  kUnknownOperation,
  kSerialization,
  kValidation,
  kRequestTooLarge,
  kUnsupportedCoding,
  // Errors of tables and items
  kResourceNotFound,
  kTableNotFound,  // the name that operations on backups use
  kResourceInUse,
  kLimitExceeded,
  kConditionalCheckFailed,
  kTransactionCanceled,
  kTransactionConflict,
  kTransactionInProgress,
  kIdempotentParameterMismatch,
  kItemCollectionSizeLimitExceeded,
  // Temporary errors, and errors of the server
  kThrottling,
  kProvisionedThroughputExceeded,
  kRequestLimitExceeded,
  kServiceUnavailable,
  kInternalServerError,
};
inline constexpr size_t kDynamoErrorTypeCount =
    static_cast<size_t>(DynamoErrorType::kInternalServerError) + 1;

struct DynamoErrorInfo {
  DynamoErrorType type;
  std::string_view name;   // "ValidationException": the name in SDKs
  std::string_view space;  // "com.amazon.coral.validate"
  int http_status;
  std::string_view message_key;  // "message" or "Message"
};
const DynamoErrorInfo& Describe(DynamoErrorType type);

// The result of one action of a cancelled transaction.
struct CancellationReason {
  std::string code = "None";  // "None", "ConditionalCheckFailed", "TransactionConflict", "ValidationError", …
  std::string message = {};  // empty: omitted
  std::string item = {};     // a JSON object; empty: omitted
};

struct DynamoError {
  DynamoErrorType type = DynamoErrorType::kInternalServerError;
  std::string message = {};  // UTF-8; empty: omitted
  std::string item = {};     // the item of a failed condition, if requested: a JSON object; empty: omitted
  std::vector<CancellationReason> reasons = {};  // one for each action of a cancelled transaction
  int64_t retry_after_ms = 0;                    // 0: unknown
};

// Makes the error of a cancelled transaction; its message lists the codes of all reasons.
DynamoError TransactionCanceled(std::vector<CancellationReason> reasons);

// {"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":…}
std::string ErrorBody(const DynamoError& error);

// Holds either a value or an error.
template <class T>
class [[nodiscard]] DynamoResult {
 public:
  template <class U>
  requires std::is_convertible_v<U, T> DynamoResult(U value)
      : state_(std::in_place_index<0>, std::move(value)) {}                              // NOLINT: implicit
  DynamoResult(DynamoError error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return state_.index() == 0; }
  T& operator*() {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const T& operator*() const {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }
  DynamoError& error() {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }
  const DynamoError& error() const {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, DynamoError> state_;
};

}  // namespace parley::gateway
