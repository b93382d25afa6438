#include "accounts/limits/author_limits.h"

#include "protocol/base/reason.h"

#include <array>
#include <string>

namespace parley::accounts {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Result;
using protocol::Status;

namespace {

// Ids contain no NUL, so keys are unique.
std::string AuthorKey(const protocol::TenantId& tenant, const protocol::UserId& user) {
  return tenant.value.text() + '\0' + user.value.text();
}

Rate PairRate(const EffectiveLimits& limits) {
  const int64_t burst = limits.sends_per_pair_burst;
  return {limits.sends_per_pair_per_minute, kMinuteMs, burst > 0 ? burst : limits.sends_per_pair_per_minute};
}
Rate UserRate(const EffectiveLimits& limits) {
  return {limits.sends_per_user_per_minute, kMinuteMs, limits.sends_per_user_per_minute};
}

}  // namespace

AuthorLimits::AuthorLimits(protocol::Metrics& metrics, size_t pairs_max, size_t users_max)
    : probe_(metrics), pairs_(pairs_max), users_(users_max) {
  metrics.AddReadGauge("parley_limit_buckets", "Buckets of limits in memory",
                       [this] { return double(pairs_.size()); }, {{"limit", "pair"}});
  metrics.AddReadGauge("parley_limit_buckets", "Buckets of limits in memory",
                       [this] { return double(users_.size()); }, {{"limit", "sends"}});
}

AuthorLimits::Cost::~Cost() {
  if (stands_) return;
  if (give_back_) give_back_();
  for (const Taken& taken : taken_) taken.bucket->GiveBack({&taken.rate, 1}, taken.at_ms);
}

std::vector<storage::CommitRequest> AuthorLimits::Cost::Stand() {
  stands_ = true;
  std::vector<storage::CommitRequest> rows;
  for (const auto& counting : counted_) {
    for (storage::CommitRequest& row : counting->Stand()) rows.push_back(std::move(row));
  }
  return rows;
}

Status AuthorLimits::Take(Buckets& buckets, std::string_view key, const Rate& rate, int64_t now_ms,
                          LimitKind kind, Cost* cost) {
  if (!rate.limits()) return protocol::Ok();
  BucketPtr bucket = buckets.At(key, now_ms);
  const Verdict verdict = bucket->Take({&rate, 1}, now_ms);
  if (verdict.allowed) {
    cost->taken_.push_back({std::move(bucket), rate, now_ms});
    return protocol::Ok();
  }
  probe_.Refused(kind);
  const bool pair = kind == LimitKind::kPair;
  Error error = ErrorFor(pair ? protocol::Reason::kPairTooFast : protocol::Reason::kMessagesTooFast,
                         pair ? "too many messages to one user at once" : "too many messages at once");
  error.retry_after_ms = verdict.retry_after_ms;
  error.rate_limit = verdict.limit;
  return error;
}

Status AuthorLimits::Count(const Counter& counter, const QuotaSubject& subject, Counted what,
                           std::span<const Window> windows, LimitKind kind, Cost* cost) {
  auto counting = quotas_.Count(counter, subject, what, windows);
  if (!counting.ok()) {
    if (counting.error().code == ErrorCode::kRateLimited) probe_.Refused(kind);
    return std::move(counting.error());
  }
  cost->counted_.push_back(std::move(*counting));
  return protocol::Ok();
}

AuthorLimits::Charged AuthorLimits::Send(const Counter& counter, int64_t monotonic_ms,
                                         const EffectiveLimits& limits, const Author& author,
                                         const std::optional<protocol::UserId>& peer, std::string_view text) {
  auto cost = std::make_unique<Cost>();
  if (!limits.enabled) return cost;
  const std::string key = AuthorKey(author.tenant, author.user);
  PARLEY_CHECK_OK(Take(users_, key, UserRate(limits), monotonic_ms, LimitKind::kSends, cost.get()));
  if (peer) {
    const std::string pair = key + '\0' + peer->value.text();
    PARLEY_CHECK_OK(Take(pairs_, pair, PairRate(limits), monotonic_ms, LimitKind::kPair, cost.get()));
  }
  const Window users_day{kDayMs, limits.sends_per_user_per_day}, bots_day{kDayMs, limits.messages_per_day};
  if (users_day.most > 0)
    PARLEY_CHECK_OK(Count(counter, QuotaSubject::OfUser(author.tenant, author.user), Counted::kSends,
                          {&users_day, 1}, LimitKind::kSendsDay, cost.get()));
  if (author.bot && bots_day.most > 0)
    PARLEY_CHECK_OK(Count(counter, QuotaSubject::OfBots(author.tenant), Counted::kSends, {&bots_day, 1},
                          LimitKind::kBotsDay, cost.get()));
  PARLEY_CHECK_OK(TakeText(author, text, monotonic_ms, cost.get()));
  return cost;
}

Status AuthorLimits::TakeText(const Author& author, std::string_view text, int64_t monotonic_ms, Cost* cost) {
  if (text.empty()) return protocol::Ok();
  const std::string key = AuthorKey(author.tenant, author.user);
  if (auto alike = similar_.Take(key, text, monotonic_ms); !alike.ok()) {
    probe_.Refused(LimitKind::kStarts);
    return alike;
  }
  cost->give_back_ = [this, key, text = std::string(text)] { similar_.GiveBack(key, text); };
  return protocol::Ok();
}

namespace {

bool IsNewSince(const std::optional<protocol::Time>& since, protocol::Time now) {
  return !since || now.ms - since->ms < kNewUserMs;
}

std::array<Window, 2> StartWindows(const EffectiveLimits& limits, bool is_new) {
  return {Window{kHourMs, is_new ? limits.new_user_starts_per_hour : limits.starts_per_hour},
          Window{kDayMs, is_new ? limits.new_user_starts_per_day : limits.starts_per_day}};
}

}  // namespace

// Counts even without limits, because a user's age starts with the first start.
AuthorLimits::Charged AuthorLimits::Start(const Counter& counter, int64_t monotonic_ms,
                                          const EffectiveLimits& limits, const Author& author,
                                          std::string_view text) {
  auto cost = std::make_unique<Cost>();
  if (!limits.enabled) return cost;
  PARLEY_TRY(is_new, IsNew(counter, author));
  PARLEY_CHECK_OK(Count(counter, QuotaSubject::OfUser(author.tenant, author.user), Counted::kStarts,
                        StartWindows(limits, is_new), LimitKind::kStarts, cost.get()));
  PARLEY_CHECK_OK(TakeText(author, text, monotonic_ms, cost.get()));
  return cost;
}

Result<std::optional<AuthorLimits::Starts>> AuthorLimits::StartsOf(const storage::Reader& reader,
                                                                   protocol::Time now,
                                                                   const EffectiveLimits& limits,
                                                                   const Author& author) {
  std::optional<Starts> out;
  if (!limits.enabled) return out;
  PARLEY_TRY(row, ReadQuota(reader, QuotaSubject::OfUser(author.tenant, author.user)));
  const auto first = row.first_ms > 0 ? std::optional(protocol::Time{row.first_ms}) : std::nullopt;
  const bool is_new = !author.verified && IsNewSince(author.record_made ? author.record_made : first, now);
  for (const Window& window : StartWindows(limits, is_new)) {
    if (window.most == 0) continue;
    const Starts one{window.ms, window.most, row.starts.Sum(now.ms, window.ms)};
    if (!out || one.most - one.used < out->most - out->used) out = one;
  }
  return out;
}

Result<bool> AuthorLimits::IsNew(const Counter& counter, const Author& author) {
  if (author.verified) return false;
  std::optional<protocol::Time> since = author.record_made;
  if (!since) {
    PARLEY_TRY(first, quotas_.FirstCounted(counter, QuotaSubject::OfUser(author.tenant, author.user)));
    since = first;
  }
  return IsNewSince(since, counter.now);
}

}  // namespace parley::accounts
