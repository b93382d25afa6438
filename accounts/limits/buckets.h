// Token buckets by key (a user, a pair, an address), exact across all threads: one lock finds a bucket, and
// each bucket has a lock of its own. Lanes do not have shares of their own, which would be either less than
// what is allowed or more; and finding is rare, since a session keeps the buckets that it asks all the time.
//
// Memory: at most `most` buckets that nobody keeps, of less than kBucketBytes each, and those that are kept.
// A bucket that is full again equals a new one and is forgotten. Where all are in use, the one that was not
// asked for the longest goes: it is as if its key had waited. Each kind of key has a pool of its own, so that
// whoever has a million addresses makes room for them among addresses, and touches no user's debt.
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

// One key's. Several rates hold at once: all of them have room, or nothing is taken of any.
class Bucket {
 public:
  // Of several refusals the longest tells when to come again; of several that allow, the one with least left.
  // REQUIRES: as many rates each time, at most kRatesMax.
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

  // The bucket of this key; a full one where nothing is known of it. Whoever keeps it keeps it from being
  // forgotten.
  BucketPtr At(std::string_view key, int64_t now_ms);
  // What the key's bucket would answer: none is made for it.
  Verdict Ask(std::string_view key, std::span<const Rate> rates, int64_t now_ms) const;
  size_t size() const;
  uint64_t evicted() const;  // were forgotten before they were full

 private:
  struct Entry;
  using Entries = std::map<std::string, Entry, std::less<>>;  // in order: no key can be made to collide
  struct Entry {
    BucketPtr bucket;
    std::list<Entries::iterator>::iterator age;
  };
  void Forget(int64_t now_ms) REQUIRES(mutex_);

  const size_t most_;
  mutable protocol::Mutex mutex_;
  Entries entries_ GUARDED_BY(mutex_);
  std::list<Entries::iterator> by_age_ GUARDED_BY(mutex_);  // asked for longest ago first
  uint64_t evicted_ GUARDED_BY(mutex_) = 0;
};

}  // namespace parley::accounts
