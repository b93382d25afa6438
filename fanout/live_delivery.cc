#include "fanout/live_delivery.h"

namespace parley::fanout {

void LiveDelivery::OnCommitted(std::vector<threads::CommittedChangePtr> changes) {
  protocol::MutexLock lock(&mutex_);
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

void LiveDelivery::Deliver() {
  std::vector<threads::CommittedChangePtr> changes;
  {
    protocol::MutexLock lock(&mutex_);
    if (stopped_) return;
    changes.swap(waiting_);
  }
  hub_.Deliver(changes);
  for (const auto& change : changes) seen_(*change);
}

}  // namespace parley::fanout
