#include "fanout/change_feed.h"

namespace parley::fanout {

ChangeFeed::ChangeFeed(protocol::Metrics& metrics)
    : events_(metrics.AddCounter("parley_events_total", "Durable events that came out of the log")) {}

void ChangeFeed::OnCommitted(std::vector<threads::CommittedChangePtr> changes) {
  commits_.fetch_add(1, std::memory_order_release);
  size_t events = 0;
  for (const auto& change : changes) {
    events += change->events.size() + (change->receipt ? 1 : 0);
    backlog_.Note(*change);
  }
  if (changes.empty()) backlog_.Press();  // notes only, such as those of staff's acts
  events_.Add(static_cast<double>(events));
  for (size_t i = 1; i < loops_.size(); ++i) loops_[i]->OnCommitted(changes);
  loops_.front()->OnCommitted(std::move(changes));
  committed_ = true;
}

void ChangeFeed::Ring() {
  for (LiveDelivery* loop : loops_) loop->Ring();
}

}  // namespace parley::fanout
