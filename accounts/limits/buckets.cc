#include "accounts/limits/buckets.h"

namespace parley::accounts {

Verdict Bucket::AskAll(std::span<const Rate> rates, int64_t now_ms, int64_t cost) {
  Verdict out;
  for (size_t i = 0; i < rates.size(); ++i) {
    if (!rates[i].limits()) continue;
    const Verdict one = tokens_[i].Ask(rates[i], now_ms, cost);
    const bool tells_more = out.limit == 0 || (out.allowed && !one.allowed) ||
                            (out.allowed == one.allowed && (one.retry_after_ms > out.retry_after_ms ||
                                                            (one.allowed && one.remaining < out.remaining)));
    if (tells_more) out = one;
  }
  return out;
}

void Bucket::NoteFull(std::span<const Rate> rates) {
  full_at_ms_ = 0;
  for (size_t i = 0; i < rates.size(); ++i) full_at_ms_ = std::max(full_at_ms_, tokens_[i].FullAt(rates[i]));
}

Verdict Bucket::Take(std::span<const Rate> rates, int64_t now_ms, int64_t cost) {
  protocol::MutexLock lock(&mutex_);
  Verdict out = AskAll(rates, now_ms, cost);
  if (!out.allowed) return out;
  for (size_t i = 0; i < rates.size(); ++i) tokens_[i].Take(rates[i], now_ms, cost);
  NoteFull(rates);
  return AskAll(rates, now_ms, 0);
}

Verdict Bucket::Ask(std::span<const Rate> rates, int64_t now_ms, int64_t cost) {
  protocol::MutexLock lock(&mutex_);
  return AskAll(rates, now_ms, cost);
}

void Bucket::Fine(std::span<const Rate> rates, int64_t now_ms, int64_t cost) {
  protocol::MutexLock lock(&mutex_);
  for (size_t i = 0; i < rates.size(); ++i) tokens_[i].Fine(rates[i], now_ms, cost);
  NoteFull(rates);
}

void Bucket::GiveBack(std::span<const Rate> rates, int64_t now_ms, int64_t cost) {
  protocol::MutexLock lock(&mutex_);
  for (size_t i = 0; i < rates.size(); ++i) tokens_[i].GiveBack(rates[i], now_ms, cost);
  NoteFull(rates);
}

bool Bucket::IsFull(int64_t now_ms) const {
  protocol::MutexLock lock(&mutex_);
  return full_at_ms_ <= now_ms;
}

BucketPtr Buckets::At(std::string_view key, int64_t now_ms) {
  protocol::MutexLock lock(&mutex_);
  const auto found = entries_.find(key);
  if (found != entries_.end()) {
    by_age_.splice(by_age_.end(), by_age_, found->second.age);
    return found->second.bucket;
  }
  Forget(now_ms);
  const auto made = entries_.emplace(std::string(key), Entry{std::make_shared<Bucket>(), {}}).first;
  made->second.age = by_age_.insert(by_age_.end(), made);
  return made->second.bucket;
}

Verdict Buckets::Ask(std::string_view key, std::span<const Rate> rates, int64_t now_ms) const {
  BucketPtr bucket;
  {
    protocol::MutexLock lock(&mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end()) return {};
    bucket = found->second.bucket;
  }
  return bucket->Ask(rates, now_ms);
}

// Makes room before one is added: forgets the oldest ones while they are full (at most two, so that no caller
// does others' cleaning), then, if there is no room, one that is not. A bucket that a session keeps is
// treated as new.
void Buckets::Forget(int64_t now_ms) {
  size_t tidied = 0;
  for (size_t looked = by_age_.size(); looked > 0; --looked) {
    const auto oldest = by_age_.front();
    const bool room = entries_.size() < most_;
    if (room && tidied == 2) return;
    if (oldest->second.bucket.use_count() > 1) {
      if (room) ++tidied;
      by_age_.splice(by_age_.end(), by_age_, by_age_.begin());
      continue;
    }
    const bool full = oldest->second.bucket->IsFull(now_ms);
    if (!full && room) return;
    if (!full) ++evicted_;
    ++tidied;
    by_age_.pop_front();
    entries_.erase(oldest);
  }
}

size_t Buckets::size() const {
  protocol::MutexLock lock(&mutex_);
  return entries_.size();
}

uint64_t Buckets::evicted() const {
  protocol::MutexLock lock(&mutex_);
  return evicted_;
}

}  // namespace parley::accounts
