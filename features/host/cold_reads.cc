#include "features/host/cold_reads.h"

#include "protocol/base/reason.h"

namespace parley::features {
namespace {

protocol::Error RetryLater(protocol::Reason reason, const char* why, int64_t ms) {
  protocol::Error error = ErrorFor(reason, why);
  error.retry_after_ms = ms;
  return error;
}

}  // namespace

protocol::Error NoRoom() {
  return RetryLater(protocol::Reason::kBusy, "too much is held for other readers", 200);
}

protocol::Error TooManyReads() {
  return RetryLater(protocol::Reason::kBusy, "too many reads wait for the disk", 200);
}

protocol::Error IndexBehind() {
  return RetryLater(protocol::Reason::kIndexBehind, "the index is behind", 1000);
}

void ReadIndexed(Host& host, threads::Waits indexes, const ReadRoad& road, ReadAnswerFunction read,
                 std::function<void(threads::Answer)> done) {
  host.Await(indexes, [&host, road, read = std::move(read), done = std::move(done)](bool reached) {
    if (!reached) return done(IndexBehind());
    if (!host.MakeRoom()) return done(NoRoom());
    ReadAnywhere<std::string>(host, road, read, done);
  });
}

}  // namespace parley::features
