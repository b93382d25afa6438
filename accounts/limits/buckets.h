// Token buckets by key (a user, a pair, an address), exact across all threads: one lock finds a bucket, and
// each bucket has a lock of its own. I/O threads have no shares of their own, which would add up to less or
// more than the limit; and lookups are rare, because a session keeps the buckets that it uses all the time.
//
// Memory: at most `most` buckets that no session keeps, each smaller than kBucketBytes, and the kept ones. A
// full bucket equals a new one and is forgotten. If all are in use, the least recently used one is evicted:
// as if its key had waited. Each kind of key has a pool of its own, so that an attacker with a million
// addresses evicts only addresses and clears no user's debt.
//
// Thread contract: any thread.
#pragma once

#include <array>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "accounts/limits/token_bucket.h"
#include "protocol/base/mutex.h"

namespace parley::accounts {

inline constexpr size_t kRatesMax = 2;
inline constexpr size_t kBucketBytes = 512;  // with the longest key: a tenant and two users

// The bucket of one key. Several rates apply at once: either all have room, or nothing is taken.
class Bucket {
 public:
  // If several rates refuse, returns the refusal with the longest wait; if all allow, the one with least
  // left. REQUIRES: the same number of rates each time, at most kRatesMax.
  Verdict Take(std::span<const Rate> rates, int64_t now_ms, int64_t cost = 1);
  Verdict Ask(std::span<const Rate> rates, int64_t now_ms, int64_t cost = 1);
  void Fine(std::span<const Rate> rates, int64_t now_ms, int64_t cost);
  void GiveBack(std::span<const Rate> rates, int64_t now_ms, int64_t cost = 1);
  bool IsFull(int64_t now_ms) const;

 private:
  Verdict AskAll(std::span<const Rate> rates, int64_t now_ms, int64_t cost) REQUIRES(mutex_);
  void NoteFull(std::span<const Rate> rates) REQUIRES(mutex_);

  mutable protocol::Mutex mutex_;
  std::array<TokenBucket, kRatesMax> tokens_ GUARDED_BY(mutex_);
  int64_t full_at_ms_ GUARDED_BY(mutex_) = 0;
};
using BucketPtr = std::shared_ptr<Bucket>;

class Buckets {
 public:
  explicit Buckets(size_t most) : most_(most) {}

  // Returns the key's bucket; a full one if the key is unknown. A bucket is not forgotten while the caller
  // keeps it.
  BucketPtr At(std::string_view key, int64_t now_ms);
  // Returns the verdict of the key's bucket without creating one.
  Verdict Ask(std::string_view key, std::span<const Rate> rates, int64_t now_ms) const;
  size_t size() const;
  uint64_t evicted() const;  // evicted before they were full

 private:
  struct Entry;
  // ordered, so that no keys can be made to collide
  using Entries = std::map<std::string, Entry, std::less<>>;
  struct Entry {
    BucketPtr bucket;
    std::list<Entries::iterator>::iterator age;
  };
  void Forget(int64_t now_ms) REQUIRES(mutex_);

  const size_t most_;
  mutable protocol::Mutex mutex_;
  Entries entries_ GUARDED_BY(mutex_);
  std::list<Entries::iterator> by_age_ GUARDED_BY(mutex_);  // least recently used first
  uint64_t evicted_ GUARDED_BY(mutex_) = 0;
};

}  // namespace parley::accounts
