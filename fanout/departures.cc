#include "fanout/departures.h"

#include <algorithm>

namespace parley::fanout {

std::string Departures::NameOf(const TenantId& tenant, const ThreadId& thread, const UserId& user) {
  return tenant.value.text() + '\0' + std::string(thread.ulid.raw()) + user.value.text();
}

void Departures::Note(const TenantId& tenant, const ThreadId& thread, const UserId& user, int64_t seq,
                      storage::Position position) {
  if (position <= passed_) return;
  waits_ = true;
  if (left_.size() >= kMost) {
    for (const auto& [name, one] : left_) unknown_through_ = std::max(unknown_through_, one.position);
    unknown_through_ = std::max(unknown_through_, position);
    left_.clear();
  }
  // Every evicted removal lies at or below this position.
  if (position <= unknown_through_) return;
  Left& left = left_[NameOf(tenant, thread, user)];
  left = {std::max(left.seq, seq), std::max(left.position, position)};
}

bool Departures::IsStale(const EntryNotice& notice, storage::Position through) const {
  if (through < unknown_through_) return true;
  if (left_.empty()) return false;
  const auto left = left_.find(NameOf(notice.tenant, notice.thread, notice.user));
  return left != left_.end() && notice.seq < left->second.seq;
}

void Departures::Passed(storage::Position through) {
  passed_ = std::max(passed_, through);
  std::erase_if(left_, [&](const auto& one) { return one.second.position <= passed_; });
  if (unknown_through_ <= passed_) unknown_through_ = 0;
  waits_ = !left_.empty() || unknown_through_ > 0;
}

}  // namespace parley::fanout
