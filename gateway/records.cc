#include "gateway/records.h"

namespace parley::gateway {

using protocol::Error;
using protocol::ErrorCode;

Error NotWritten() {
  return Error(ErrorCode::kUnavailable, "the store takes no writes");
}

Error TooManyWrites() {
  Error error(ErrorCode::kUnavailable, "too many writes wait");
  error.retry_after_ms = 1000;
  return error;
}

}  // namespace parley::gateway
