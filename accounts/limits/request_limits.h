// Limits requests of each user and each API key, of each tenant key and of each tenant in total, and, before
// the caller is known, bad credentials from one address.
//
// The tenant's total protects the other tenants, so no tenant can switch it off. Only failed credentials
// count against an address: once its tokens are used up, no credential from it is checked any more, valid
// ones included, until it has waited: otherwise the reply would reveal a correct guess. Expensive checks are
// charged before they run, from the first on, because many could be in progress before the first has
// failed.
//
// Thread contract: any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "accounts/limits/buckets.h"
#include "accounts/limits/limit_probe.h"
#include "accounts/limits/limit_settings.h"
#include "protocol/base/ids.h"

namespace parley::accounts {

struct RequestLimitSettings {
  int64_t tenant_per_second = 5000;   // and as a burst; 0: no limit
  int64_t failures_per_minute = 300;  // bad credentials from one address; and as a burst; 0: no limit
  size_t addresses_max = 50'000;
  size_t callers_max = 100'000;
};

// The caller with the buckets that it is charged to. Frequent callers should keep it.
struct Requester {
  LimitKind kind = LimitKind::kUser;  // kUser or kKey
  BucketPtr own;
  BucketPtr tenant;
};

class RequestLimits {
 public:
  RequestLimits(const RequestLimitSettings& settings, protocol::Metrics& metrics);

  Requester OfUser(const protocol::TenantId& tenant, const protocol::UserId& user, int64_t now_ms);
  Requester OfUserKey(const protocol::TenantId& tenant, std::string_view key_id, int64_t now_ms);
  Requester OfTenantKey(const protocol::TenantId& tenant, std::string_view key_id, int64_t now_ms);

  // Takes one request from all buckets, or from none.
  Verdict Take(const Requester& requester, const EffectiveLimits& limits, int64_t now_ms);
  // Takes a request that the caller's own bucket pays only on failure (Fine), for requests with another
  // limit.
  Verdict TakeOnTrial(const Requester& requester, const EffectiveLimits& limits, int64_t now_ms);
  void Fine(const Requester& requester, const EffectiveLimits& limits, int64_t now_ms);
  // Whether the tenant's total has room for one more; takes nothing.
  bool HasRoom(const Requester& requester, int64_t now_ms) const;

  // Whether credentials from this address (or group of addresses) are checked.
  Verdict MayTry(std::string_view address, int64_t now_ms);
  void NoteFailure(std::string_view address, int64_t now_ms);
  // For a credential with an expensive check: takes `cost` beforehand, or nothing. Return it if the
  // credential is good.
  Verdict TakeTry(std::string_view address, int64_t now_ms, int64_t cost);
  void GiveBackTry(std::string_view address, int64_t now_ms, int64_t cost);

 private:
  Verdict Judge(const Requester& requester, const EffectiveLimits& limits, int64_t now_ms, bool takes);
  Requester Of(LimitKind kind, const protocol::TenantId& tenant, std::string_view key, int64_t now_ms);

  const Rate tenant_rate_, address_rate_;
  LimitProbe probe_;
  Buckets callers_, tenants_, addresses_;
};

// RATE_LIMITED with the verdict's times.
protocol::Error RateLimited(const Verdict& verdict);

}  // namespace parley::accounts
