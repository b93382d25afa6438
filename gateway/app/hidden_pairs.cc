#include "gateway/app/hidden_pairs.h"

#include <algorithm>

namespace parley::gateway {

using protocol::UserId;

namespace {

bool IsSame(const threads::Parties& a, const threads::Parties& b) {
  return (a.one == b.one && a.other == b.other) || (a.one == b.other && a.other == b.one);
}

}  // namespace

void HiddenPairs::Note(Noted noted) {
  ++changes_;
  noted_.push_back(std::move(noted));
  if (noted_.size() > kNotedMost) noted_.pop_front();
}

void HiddenPairs::Apply(const Noted& noted, const ThreadName& thread, Between* between) {
  if (!noted.pair) {
    if (noted.thread == thread) between->holds = noted.holds;
  } else if (noted.pair->tenant == thread.first && IsSame(noted.pair->pair, between->parties)) {
    between->blocked = noted.pair->blocked;
  }
}

// If the read took so long that some changes since are lost, the pair is hidden: this may show too little
// until the thread is opened again, but never too much.
void HiddenPairs::Open(const ThreadName& thread, const std::optional<Between>& between, uint64_t noted) {
  if (!between) return Close(thread);
  Between& now = threads_[thread] = *between;
  const uint64_t since = changes_ - noted;
  if (since > noted_.size()) now.blocked = now.holds = true;
  const size_t known = std::min<uint64_t>(since, noted_.size());
  for (size_t i = noted_.size() - known; i < noted_.size(); ++i) Apply(noted_[i], thread, &now);
}

std::vector<HiddenPairs::ThreadName> HiddenPairs::Change(const PairChange& change) {
  std::vector<ThreadName> changed;
  const bool old = std::any_of(noted_.begin(), noted_.end(), [&](const Noted& one) {
    return one.pair && one.pair->order > change.order && one.pair->tenant == change.tenant &&
           IsSame(one.pair->pair, change.pair);
  });
  if (old) return changed;
  Note({change, {}, false});
  for (auto& [name, between] : threads_) {
    const bool before = between.apart();
    Apply(noted_.back(), name, &between);
    if (between.apart() != before) changed.push_back(name);
  }
  return changed;
}

std::vector<HiddenPairs::ThreadName> HiddenPairs::Change(const ThreadName& thread, bool holds) {
  Note({{}, thread, holds});
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return {};
  const bool before = found->second.apart();
  found->second.holds = holds;
  return found->second.apart() == before ? std::vector<ThreadName>() : std::vector{thread};
}

const HiddenPairs::Between* HiddenPairs::Find(const ThreadName& thread) const {
  const auto found = threads_.find(thread);
  return found == threads_.end() ? nullptr : &found->second;
}

const UserId* HiddenPairs::HiddenFrom(const ThreadName& thread, const UserId& user) const {
  const Between* between = Find(thread);
  if (!between || !between->apart()) return nullptr;
  const auto& [one, other] = between->parties;
  if (user == one) return &other;
  return user == other ? &one : nullptr;
}

}  // namespace parley::gateway
