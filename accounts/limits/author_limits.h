// What a user may write and start, as their tenant limits it: messages to one other, messages in all, a day's
// messages, a day's messages of all bots, threads created and strangers added.
//
// A pair is one who writes and one who reads, in threads of two: what one of them writes leaves the other's
// answers alone. A service that acts as a user is limited as that user.
//
// Thread contract: any thread; a Cost belongs to the executor that was given it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "accounts/limits/buckets.h"
#include "accounts/limits/limit_probe.h"
#include "accounts/limits/limit_settings.h"
#include "accounts/limits/quotas.h"
#include "accounts/limits/similar_starts.h"

namespace parley::accounts {

// A user is new for a week, unless they are verified: after their record was made, or, of a user without one,
// after their first start.
inline constexpr int64_t kNewUserMs = 7 * kDayMs;

struct Author {
  protocol::TenantId tenant;
  protocol::UserId user;
  bool bot = false;
  std::optional<protocol::Time> record_made = {};  // none: they have none
  bool verified = false;
};

class AuthorLimits {
 public:
  explicit AuthorLimits(protocol::Metrics& metrics, size_t pairs_max = 200'000, size_t users_max = 100'000);

  // What was taken for one command: given back when it goes without having stood.
  class Cost {
   public:
    ~Cost();
    // The command is decided: the rows that have to be in the same commit. This lives until they are on disk.
    std::vector<storage::CommitRequest> Stand();

   private:
    friend class AuthorLimits;
    struct Taken {
      BucketPtr bucket;
      Rate rate;
      int64_t at_ms;
    };
    std::vector<Taken> taken_;
    std::vector<std::unique_ptr<Quotas::Counting>> counted_;
    std::function<void()> give_back_;  // what a start wrote first
    bool stands_ = false;
  };
  using Charged = protocol::Result<std::unique_ptr<Cost>>;

  // RATE_LIMITED, with the time to wait; or UNAVAILABLE. `peer`: in a thread of two, the other.
  // `text`: as below, of a conversation that began without.
  Charged Send(const Counter& counter, int64_t monotonic_ms, const Limits& limits, const Author& author,
               const std::optional<protocol::UserId>& peer, std::string_view text = {});
  // `text`: what the conversation begins with, as a person reads it; empty: nothing yet.
  Charged Start(const Counter& counter, int64_t monotonic_ms, const Limits& limits, const Author& author,
                std::string_view text);
  // How many starts were counted in the window of the two that leaves fewer, as rows have it.
  struct Starts {
    int64_t window_ms = 0, most = 0, used = 0;
  };
  // Nothing where neither is limited.
  static protocol::Result<std::optional<Starts>> StartsOf(const storage::Reader& reader, protocol::Time now,
                                                          const Limits& limits, const Author& author);

 private:
  protocol::Status Take(Buckets& buckets, std::string_view key, const Rate& rate, int64_t now_ms,
                        LimitKind kind, Cost* cost);
  protocol::Status Count(const Counter& counter, const QuotaSubject& subject, Counted what,
                         std::span<const Window> windows, LimitKind kind, Cost* cost);
  protocol::Status TakeText(const Author& author, std::string_view text, int64_t monotonic_ms, Cost* cost);
  protocol::Result<bool> IsNew(const Counter& counter, const Author& author);

  LimitProbe probe_;
  Buckets pairs_;
  Buckets users_;
  Quotas quotas_;
  SimilarStarts similar_;
};

}  // namespace parley::accounts
