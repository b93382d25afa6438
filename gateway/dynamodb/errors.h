// The errors of the DynamoDB API: a closed set, each with the name, the namespace and the status that Amazon
// answers with, since programs compare them. Pure data, any thread.
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
  // Who asks
  kMissingAuthenticationToken,
  kIncompleteSignature,
  kUnrecognizedClient,
  kInvalidSignature,
  kAccessDenied,
  // What is asked
  kUnknownOperation,
  kSerialization,
  kValidation,
  kRequestTooLarge,
  kUnsupportedCoding,
  // What is there
  kResourceNotFound,
  kTableNotFound,  // as operations on backups call it
  kResourceInUse,
  kLimitExceeded,
  kConditionalCheckFailed,
  kTransactionCanceled,
  kTransactionConflict,
  kTransactionInProgress,
  kIdempotentParameterMismatch,
  kItemCollectionSizeLimitExceeded,
  // Not now
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
  std::string_view name;   // "ValidationException": what an SDK calls the error
  std::string_view space;  // "com.amazon.coral.validate"
  int http_status;
  std::string_view message_key;  // "message" or "Message"
};
const DynamoErrorInfo& Describe(DynamoErrorType type);

// Why one action of a transaction failed, or that it did not.
struct CancellationReason {
  std::string code = "None";  // "None", "ConditionalCheckFailed", "TransactionConflict", "ValidationError", …
  std::string message = {};  // empty: left out
  std::string item = {};     // a JSON object; empty: left out
};

struct DynamoError {
  DynamoErrorType type = DynamoErrorType::kInternalServerError;
  std::string message = {};  // UTF-8; empty: left out
  std::string item = {};     // of a failed condition, where it was asked for: a JSON object; empty: left out
  std::vector<CancellationReason> reasons = {};  // of a cancelled transaction, one for each action
  int64_t retry_after_ms = 0;  // when it may be tried again, where that is known; 0: it is not
};

// A cancelled transaction, whose message lists the codes of all reasons.
DynamoError TransactionCanceled(std::vector<CancellationReason> reasons);

// {"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":…}
std::string ErrorBody(const DynamoError& error);

// Either a value or an error.
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
