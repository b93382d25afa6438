#include "fanout/live_delivery.h"

namespace parley::fanout {

void LiveDelivery::OnCommitted(std::vector<threads::CommittedChangePtr> changes) {
  const auto now = std::chrono::steady_clock::now();
  protocol::MutexLock lock(&mutex_);
  if (waiting_.empty()) oldest_ = now;
  for (auto& change : changes) waiting_.push_back(std::move(change));
}

void LiveDelivery::Ring() {
  {
    protocol::MutexLock lock(&mutex_);
    if (posted_ || waiting_.empty()) return;
    posted_ = true;
  }
  post_([this] {
    {
      protocol::MutexLock lock(&mutex_);
      posted_ = false;
    }
    Deliver();
  });
}

void LiveDelivery::Stop() {
  stopped_ = true;
}

void LiveDelivery::Start() {
  stopped_ = false;
  Deliver();
}

void LiveDelivery::LogDelivered(const threads::CommittedChange& change) {
  threads::LogStep(*change.trace, "delivered",
                   {{"position", change.position},
                    {"ioThread", static_cast<uint64_t>(index_)},
                    {"sessions", hub_.CountRecipients(change)}});
}

void LiveDelivery::Deliver() {
  std::vector<threads::CommittedChangePtr> changes;
  std::chrono::steady_clock::time_point oldest;
  {
    protocol::MutexLock lock(&mutex_);
    if (stopped_) return;
    changes.swap(waiting_);
    oldest = oldest_;
  }
  hub_.Deliver(changes);
  for (const auto& change : changes) {
    if (change->trace) LogDelivered(*change);
    seen_(*change);
  }
  if (!changes.empty())
    seconds_.Observe(std::chrono::duration<double>(std::chrono::steady_clock::now() - oldest).count());
}

}  // namespace parley::fanout
