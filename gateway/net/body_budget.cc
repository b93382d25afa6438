#include "gateway/net/body_budget.h"

#include <algorithm>
#include <utility>

namespace parley::gateway {

using protocol::MutexLock;

bool BodyBudget::HasShare(const std::string& address, size_t bytes) {
  MutexLock lock(&mutex_);
  return HasShareLocked(address, bytes);
}

bool BodyBudget::HasShareLocked(const std::string& address, size_t bytes) const {
  const auto found = by_address_.find(address);
  const size_t held = found == by_address_.end() ? 0 : found->second;
  return bytes <= settings_.address_capacity && held <= settings_.address_capacity - bytes;
}

bool BodyBudget::TakeShare(Entry* entry, size_t bytes) {
  MutexLock lock(&mutex_);
  if (entry->evicted || !HasShareLocked(entry->arrival.address, bytes)) return false;
  if (entries_.insert(entry).second) entry->since_ms = settings_.now_ms();
  CountLocked(entry, bytes);
  return true;
}

void BodyBudget::CountLocked(Entry* entry, size_t bytes) {
  entry->bytes += bytes;
  by_address_[entry->arrival.address] += bytes;
}

void BodyBudget::DiscountLocked(Entry* entry) {
  const auto of_address = by_address_.find(entry->arrival.address);
  if (of_address == by_address_.end()) return;
  of_address->second -= entry->bytes;
  if (of_address->second == 0) by_address_.erase(of_address);
}

void BodyBudget::Drop(Entry* entry) {
  MutexLock lock(&mutex_);
  entries_.erase(entry);
  if (entry->evicted) return;
  DiscountLocked(entry);
  Release(entry->bytes);
}

void BodyBudget::End(Entry* entry) {
  MutexLock lock(&mutex_);
  entry->arriving = false;
}

// The bytes are free for others at once; the memory is freed when the body's thread handles the eviction.
bool BodyBudget::EvictSlowest(const Entry* except) {
  MutexLock lock(&mutex_);
  const int64_t now_ms = settings_.now_ms();
  Entry* slowest = nullptr;
  double least = 0;
  for (Entry* entry : entries_) {
    const int64_t took_ms = now_ms - entry->since_ms;
    if (entry == except || !entry->arriving || entry->evicted || took_ms < settings_.patience_ms) continue;
    const double pace =
        static_cast<double>(entry->bytes) / static_cast<double>(std::max<int64_t>(1, took_ms));
    if (slowest && pace >= least) continue;
    slowest = entry;
    least = pace;
  }
  if (!slowest) return false;
  slowest->evicted = true;
  DiscountLocked(slowest);
  Release(slowest->bytes);
  evicted_.fetch_add(1, std::memory_order_relaxed);
  if (slowest->arrival.evict) slowest->arrival.evict();
  return true;
}

BodyShare::BodyShare(BodyShare&& other) noexcept
    : budget_(other.budget_),  // NOLINT(performance-move-constructor-init)
      arrival_(std::move(other.arrival_)),
      entry_(std::move(other.entry_)),
      bytes_(std::exchange(other.bytes_, 0)) {}

bool BodyShare::MakeRoom(size_t bytes) {
  if (!budget_ || bytes == 0) return true;
  if (bytes > kSmallBodyBytes && !budget_->HasShare(arrival_.address, bytes)) return false;
  while (!budget_->HasRoom(bytes)) {
    if (!budget_->EvictSlowest(entry_.get())) return false;
  }
  return true;
}

// From then on all of its bytes count for the entry.
bool BodyShare::BecomeLarge() {
  auto entry = std::make_unique<BodyBudget::Entry>();
  entry->arrival = std::move(arrival_);
  if (!budget_->TakeShare(entry.get(), bytes_)) return false;
  entry_ = std::move(entry);
  return true;
}

bool BodyShare::Grow(size_t bytes) {
  if (!budget_) {
    bytes_ += bytes;
    return true;
  }
  if (!entry_ && bytes_ + bytes > kSmallBodyBytes && !BecomeLarge()) return false;
  while (!budget_->Take(bytes)) {
    if (!budget_->EvictSlowest(entry_.get())) return false;
  }
  if (entry_ && !budget_->TakeShare(entry_.get(), bytes)) {
    budget_->Release(bytes);
    return false;
  }
  bytes_ += bytes;
  return true;
}

void BodyShare::End() {
  if (entry_) budget_->End(entry_.get());
}

void BodyShare::Reset() {
  const size_t bytes = std::exchange(bytes_, 0);
  arrival_ = {};
  if (const auto entry = std::move(entry_)) return budget_->Drop(entry.get());
  if (budget_) budget_->Release(bytes);
}

}  // namespace parley::gateway
