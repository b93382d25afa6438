// Enforces the tenant's limits on a user's writing: messages to one other user, messages in all, messages per
// day, messages per day of all bots, threads created and strangers added.
//
// A pair is a writer and a reader in a thread of two: one user's messages do not count against the other's
// replies. A service that acts as a user is limited as that user.
//
// Thread contract: any thread; a Cost belongs to the executor that got it.
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

// A user is new for a week, unless verified: from the creation of their record, or, without a record, from
// their first start.
inline constexpr int64_t kNewUserMs = 7 * kDayMs;

struct Author {
  protocol::TenantId tenant;
  protocol::UserId user;
  bool bot = false;
  std::optional<protocol::Time> record_made = {};  // none: they have no record
  bool verified = false;
};

class AuthorLimits {
 public:
  explicit AuthorLimits(protocol::Metrics& metrics, size_t pairs_max = 200'000, size_t users_max = 100'000);

  // The charge of one command: refunded on destruction unless `Stand()` was called.
  class Cost {
   public:
    ~Cost();
    // The command is decided: returns the rows that must be in the same commit. Keep this object until they
    // are on disk.
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
    std::function<void()> give_back_;  // reverts the check for similar starts
    bool stands_ = false;
  };
  using Charged = protocol::Result<std::unique_ptr<Cost>>;

  // RATE_LIMITED, with the time to wait; or UNAVAILABLE. `peer`: the other user in a thread of two. `text`:
  // as below, for a conversation that began without a text.
  Charged Send(const Counter& counter, int64_t monotonic_ms, const EffectiveLimits& limits,
               const Author& author, const std::optional<protocol::UserId>& peer, std::string_view text = {});
  // `text`: the readable first text of the conversation; may be empty.
  Charged Start(const Counter& counter, int64_t monotonic_ms, const EffectiveLimits& limits,
                const Author& author, std::string_view text);
  // The starts counted in the window that leaves fewer of the two, as rows have it.
  struct Starts {
    int64_t window_ms = 0, most = 0, used = 0;
  };
  // nullopt if neither window is limited.
  static protocol::Result<std::optional<Starts>> StartsOf(const storage::Reader& reader, protocol::Time now,
                                                          const EffectiveLimits& limits,
                                                          const Author& author);

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
