#include "accounts/limits/request_limits.h"

#include "protocol/base/reason.h"

namespace parley::accounts {
namespace {

constexpr size_t kCountedTenantsMax = 10'000;

std::string KeyOf(char kind, const protocol::TenantId& tenant, std::string_view who) {
  std::string out(1, kind);
  out += tenant.value.text();
  out += '\0';
  out += who;
  return out;
}

Rate PerMinute(int64_t count) {
  return {count, kMinuteMs, count};
}

std::array<Rate, 2> OwnRates(LimitKind kind, const EffectiveLimits& limits) {
  if (!limits.enabled) return {};
  if (kind == LimitKind::kKey) return {Rate::PerSecond(limits.key_requests_per_second), Rate{}};
  const int64_t per_5_minutes = limits.requests_per_5_minutes;
  return {Rate::PerSecond(limits.requests_per_second), Rate{per_5_minutes, 5 * kMinuteMs, per_5_minutes}};
}

}  // namespace

protocol::Error RateLimited(const Verdict& verdict) {
  protocol::Error error = ErrorFor(protocol::Reason::kRequestsTooFast, "too many requests");
  error.retry_after_ms = verdict.retry_after_ms;
  error.rate_limit = verdict.limit;
  return error;
}

RequestLimits::RequestLimits(const RequestLimitSettings& settings, protocol::Metrics& metrics)
    : tenant_rate_(Rate::PerSecond(settings.tenant_per_second)),
      address_rate_(PerMinute(settings.failures_per_minute)),
      probe_(metrics),
      callers_(settings.callers_max),
      tenants_(kCountedTenantsMax),
      addresses_(settings.addresses_max) {
  const auto show = [&](const char* kind, const Buckets& buckets) {
    metrics.AddReadGauge("parley_limit_buckets", "Buckets of limits in memory",
                         [&buckets] { return static_cast<double>(buckets.size()); }, {{"limit", kind}});
  };
  show("user", callers_);
  show("tenant", tenants_);
  show("address", addresses_);
}

Requester RequestLimits::Of(LimitKind kind, const protocol::TenantId& tenant, std::string_view key,
                            int64_t now_ms) {
  return {kind, callers_.At(key, now_ms), tenants_.At(tenant.value.text(), now_ms)};
}

Requester RequestLimits::OfUser(const protocol::TenantId& tenant, const protocol::UserId& user,
                                int64_t now_ms) {
  return Of(LimitKind::kUser, tenant, KeyOf('u', tenant, user.value.text()), now_ms);
}

Requester RequestLimits::OfUserKey(const protocol::TenantId& tenant, std::string_view key_id,
                                   int64_t now_ms) {
  return Of(LimitKind::kUser, tenant, KeyOf('a', tenant, key_id), now_ms);
}

Requester RequestLimits::OfTenantKey(const protocol::TenantId& tenant, std::string_view key_id,
                                     int64_t now_ms) {
  return Of(LimitKind::kKey, tenant, KeyOf('t', tenant, key_id), now_ms);
}

Verdict RequestLimits::Take(const Requester& requester, const EffectiveLimits& limits, int64_t now_ms) {
  return Judge(requester, limits, now_ms, true);
}

Verdict RequestLimits::TakeOnTrial(const Requester& requester, const EffectiveLimits& limits,
                                   int64_t now_ms) {
  return Judge(requester, limits, now_ms, false);
}

void RequestLimits::Fine(const Requester& requester, const EffectiveLimits& limits, int64_t now_ms) {
  requester.own->Fine(OwnRates(requester.kind, limits), now_ms, 1);
}

Verdict RequestLimits::Judge(const Requester& requester, const EffectiveLimits& limits, int64_t now_ms,
                             bool takes) {
  const std::array<Rate, 2> rates = OwnRates(requester.kind, limits);
  const Verdict own = takes ? requester.own->Take(rates, now_ms) : requester.own->Ask(rates, now_ms);
  if (!own.allowed) {
    probe_.Refused(requester.kind);
    return own;
  }
  const Verdict sum = requester.tenant->Take({&tenant_rate_, 1}, now_ms);
  if (sum.allowed) return own;
  probe_.Refused(LimitKind::kTenant);
  if (takes) requester.own->GiveBack(rates, now_ms);
  return sum;
}

bool RequestLimits::HasRoom(const Requester& requester, int64_t now_ms) const {
  return requester.tenant->Ask({&tenant_rate_, 1}, now_ms).allowed;
}

Verdict RequestLimits::MayTry(std::string_view address, int64_t now_ms) {
  if (!address_rate_.limits()) return {};
  const Verdict verdict = addresses_.Ask(address, {&address_rate_, 1}, now_ms);
  if (!verdict.allowed) probe_.Refused(LimitKind::kAddress);
  return verdict;
}

Verdict RequestLimits::TakeTry(std::string_view address, int64_t now_ms, int64_t cost) {
  if (!address_rate_.limits()) return {};
  const Verdict verdict = addresses_.At(address, now_ms)->Take({&address_rate_, 1}, now_ms, cost);
  if (!verdict.allowed) probe_.Refused(LimitKind::kAddress);
  return verdict;
}

void RequestLimits::GiveBackTry(std::string_view address, int64_t now_ms, int64_t cost) {
  if (address_rate_.limits()) addresses_.At(address, now_ms)->GiveBack({&address_rate_, 1}, now_ms, cost);
}

void RequestLimits::NoteFailure(std::string_view address, int64_t now_ms) {
  if (address_rate_.limits()) addresses_.At(address, now_ms)->Fine({&address_rate_, 1}, now_ms, 1);
}

}  // namespace parley::accounts
