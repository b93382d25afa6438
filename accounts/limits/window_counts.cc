#include "accounts/limits/window_counts.h"

#include <algorithm>

#include "protocol/base/varint.h"

namespace parley::accounts {

int64_t WindowCounts::Add(int64_t now_ms, int64_t amount) {
  int64_t number = SlotAt(now_ms);
  if (!slots_.empty()) number = std::max(number, slots_.back().number);
  AddTo(number, amount);
  return number;
}

void WindowCounts::AddTo(int64_t number, int64_t amount) {
  const auto slot = std::lower_bound(slots_.begin(), slots_.end(), number,
                                     [](const Slot& one, int64_t wanted) { return one.number < wanted; });
  if (slot == slots_.end() || slot->number != number) {
    if (amount != 0) slots_.insert(slot, {number, amount});
  } else if ((slot->count += amount) == 0) {
    slots_.erase(slot);
  }
}

void WindowCounts::Remove(int64_t number, int64_t amount) {
  const bool found =
      std::any_of(slots_.begin(), slots_.end(), [&](const Slot& one) { return one.number == number; });
  if (found || is_given_back_) AddTo(number, -amount);
}

void WindowCounts::Merge(const WindowCounts& other) {
  for (const Slot& slot : other.slots_) AddTo(slot.number, slot.count);
}

int64_t WindowCounts::Sum(int64_t now_ms, int64_t window_ms) const {
  const int64_t oldest = SlotAt(now_ms) - window_ms / slot_ms_ + 1;
  int64_t sum = 0;
  for (auto slot = slots_.rbegin(); slot != slots_.rend() && slot->number >= oldest; ++slot)
    sum += slot->count;
  return sum;
}

int64_t WindowCounts::WaitFor(int64_t now_ms, const Window& window, int64_t amount) const {
  if (window.most <= 0) return 0;
  int64_t surplus = Sum(now_ms, window.ms) + amount - window.most;
  if (surplus <= 0) return 0;
  const int64_t oldest = SlotAt(now_ms) - window.ms / slot_ms_ + 1;
  for (const Slot& slot : slots_) {
    if (slot.number < oldest) continue;
    surplus -= slot.count;
    if (surplus <= 0) return slot.number * slot_ms_ + window.ms - now_ms;
  }
  return window.ms;
}

void WindowCounts::Drop(int64_t now_ms) {
  const auto kept = std::find_if(slots_.begin(), slots_.end(),
                                 [&](const Slot& slot) { return Keeps(slot.number, now_ms); });
  slots_.erase(slots_.begin(), kept);
}

int64_t WindowCounts::LastMs() const {
  return slots_.empty() ? 0 : slots_.back().number * slot_ms_;
}

namespace {

// 0, -1, 1, -2, … as 0, 1, 2, 3, …
uint64_t ZigZag(int64_t n) {
  return (static_cast<uint64_t>(n) << 1) ^ (n < 0 ? ~uint64_t{0} : 0);
}
int64_t FromZigZag(uint64_t n) {
  return static_cast<int64_t>((n >> 1) ^ (n & 1 ? ~uint64_t{0} : 0));
}

}  // namespace

void WindowCounts::Append(std::string* out) const {
  protocol::AppendVarint(out, slots_.size());
  int64_t before = 0;
  for (const Slot& slot : slots_) {
    protocol::AppendVarint(out, static_cast<uint64_t>(slot.number - before));
    protocol::AppendVarint(out, is_given_back_ ? ZigZag(slot.count) : static_cast<uint64_t>(slot.count));
    before = slot.number;
  }
}

bool WindowCounts::Take(std::string_view* from) {
  uint64_t slots = 0, step = 0, count = 0;
  if (!protocol::TakeVarint(from, &slots) || slots > from->size()) return false;
  slots_.clear();
  int64_t number = 0;
  for (uint64_t i = 0; i < slots; ++i) {
    const bool read = protocol::TakeVarint(from, &step) && protocol::TakeVarint(from, &count);
    const uint64_t most = uint64_t{1} << (is_given_back_ ? 63 : 40);
    const bool sane = step < (uint64_t{1} << 40) && count > 0 && count < most;
    if (!read || !sane || (i > 0 && step == 0)) return false;
    number += static_cast<int64_t>(step);
    slots_.push_back({number, is_given_back_ ? FromZigZag(count) : static_cast<int64_t>(count)});
  }
  return true;
}

}  // namespace parley::accounts
