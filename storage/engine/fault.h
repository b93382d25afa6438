// Why the engine refuses: a closed set, each with what DynamoDB's users know it as.
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
  kNotUnique,            // a unique rule of a service's write; never on the wire
  kUnavailable,          // the store takes no writes, or cannot be read now
  kNotInMemory,          // the read would take the disk (Reader::InMemory)
  kInternal,             // bytes that should be ours are not
};

struct EngineFault {
  FaultKind kind = FaultKind::kInternal;
  std::string message;
  std::optional<Item> item = {};  // kConditionFailed: as it is, where it was asked for
  // kTransactionCanceled: one for each action, in order; nullopt: nothing was wrong with it.
  struct Reason {
    std::string code;  // "ConditionalCheckFailed", "ValidationError"
    std::string message;
    std::optional<Item> item = {};
  };
  std::vector<std::optional<Reason>> reasons = {};
};
using MaybeFault = std::optional<EngineFault>;  // nullopt: done

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
