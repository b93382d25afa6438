// The engine's errors: a closed set, each with the name of DynamoDB's exception.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "storage/items/attribute.h"
#include "storage/table.h"

namespace parley::storage {

enum class FaultKind : uint8_t {
  kValidation,           // ValidationException
  kConditionFailed,      // ConditionalCheckFailedException
  kTransactionCanceled,  // TransactionCanceledException, with reasons
  kIdempotencyMismatch,  // IdempotentParameterMismatchException
  kTableNotFound,        // ResourceNotFoundException
  kTableInUse,           // ResourceInUseException
  kLimitExceeded,        // LimitExceededException
  kCollectionTooLarge,   // ItemCollectionSizeLimitExceededException
  kNotUnique,            // a unique rule, in a service's write; never on the wire
  kUnavailable,          // the store rejects writes, or cannot be read now
  kNotInMemory,          // the read would need the disk (Reader::InMemory)
  kInternal,             // stored bytes are damaged
};

struct EngineFault {
  FaultKind kind = FaultKind::kInternal;
  std::string message;
  std::optional<Item> item = {};  // kConditionFailed: the present item, if requested
  // kTransactionCanceled: one for each action, in order; nullopt if the action had no fault.
  struct Reason {
    std::string code;  // "ConditionalCheckFailed", "ValidationError"
    std::string message;
    std::optional<Item> item = {};
  };
  std::vector<std::optional<Reason>> reasons = {};
};
using MaybeFault = std::optional<EngineFault>;  // nullopt on success

inline EngineFault Invalid(std::string message) {
  return {FaultKind::kValidation, std::move(message)};
}
inline EngineFault FromStatus(const Status& status) {
  switch (status.code) {
    case StatusCode::kNotInMemory:
      return {FaultKind::kNotInMemory, {}};
    case StatusCode::kCorrupt:
      return {FaultKind::kInternal, status.detail};
    default:
      return {FaultKind::kUnavailable, status.detail};
  }
}

}  // namespace parley::storage
