#include "features/host/records.h"

#include "protocol/base/reason.h"
#include "protocol/base/watched_clock.h"

namespace parley::features {

using protocol::Error;
using protocol::Reason;

namespace {

Error RetryAfter(Reason reason, const char* why, int64_t ms) {
  Error error = ErrorFor(reason, why);
  error.retry_after_ms = ms;
  return error;
}

}  // namespace

Error NoRoom() {
  return RetryAfter(Reason::kBusy, "too much is held for other readers", 200);
}

Error TooManyReads() {
  return RetryAfter(Reason::kBusy, "too many reads wait for the disk", 200);
}

Error IndexBehind() {
  return RetryAfter(Reason::kIndexBehind, "the index is behind", 1000);
}

Error NotWritten(const protocol::Clock& clock) {
  if (const int64_t ahead_ms = clock.AheadMs(); ahead_ms > 0) return protocol::ClockInDoubt(ahead_ms);
  return ErrorFor(Reason::kStoreDown, "the store takes no writes");
}

Error TooManyWrites() {
  return RetryAfter(Reason::kBusy, "too many writes wait", 1000);
}

}  // namespace parley::features
