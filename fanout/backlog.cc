#include "fanout/backlog.h"

#include <algorithm>

namespace parley::fanout {
namespace {

// Connected members receive a message as its event. Other changes (joins, read marks, archiving) reach some
// sessions only as an inbox entry, so they must not wait.
bool MayWait(const threads::CommittedChange& change) {
  using protocol::EventKind;
  return !change.prompt && !change.events.empty() && !change.receipt && !change.gated &&
         change.requests.empty() &&
         std::all_of(change.events.begin(), change.events.end(), [](const threads::SharedChange& event) {
           return event.kind == EventKind::kMessageCreated || event.kind == EventKind::kMessageUpdated;
         });
}

}  // namespace

void Backlog::Note(const threads::CommittedChange& change) {
  if (const uint64_t passes = passes_.load(std::memory_order_acquire); passes != noted_passes_) {
    noted_passes_ = passes;
    entries_ = members_ = 0;
    threads_.reset();
  }
  // The end of an id is random.
  const auto raw = change.thread.ulid.raw();
  const size_t place =
      (static_cast<uint8_t>(raw[14]) * size_t{256} + static_cast<uint8_t>(raw[15])) % threads_.size();
  ++entries_;
  if (!threads_.test(place)) {
    threads_.set(place);
    members_ += change.recipients ? change.recipients->size() : 0;
  }
  if (entries_ >= kEntriesMost || members_ >= kMembersMost || !MayWait(change)) Press();
}

void Backlog::Begin() {
  passes_.fetch_add(1, std::memory_order_release);
  presses_.store(false, std::memory_order_release);
}

}  // namespace parley::fanout
