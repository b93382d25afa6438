#include "features/host/records.h"

#include "protocol/base/reason.h"
#include "protocol/base/watched_clock.h"

namespace parley::features {

using protocol::Error;
using protocol::Reason;

Error NotWritten(const protocol::Clock& clock) {
  if (const int64_t ahead_ms = clock.AheadMs(); ahead_ms > 0) return protocol::ClockInDoubt(ahead_ms);
  return ErrorFor(Reason::kStoreDown, "the store takes no writes");
}

Error TooManyWrites() {
  Error error = ErrorFor(Reason::kBusy, "too many writes wait");
  error.retry_after_ms = 1000;
  return error;
}

}  // namespace parley::features
