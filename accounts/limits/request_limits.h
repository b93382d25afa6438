// How many requests are taken: of a user and of each API key, of a tenant key, of everybody in a tenant
// together, and, before anybody is known, how many bad credentials from one address.
//
// A tenant's sum protects the other tenants, so no tenant can switch it off. Of an address only failures are
// counted: good credentials cost nothing, bad ones a token each, and once those are used up none is looked at
// any more, good ones neither, until it has waited: else a guess would be told from its answer. Checks that
// are dear are charged for before they are made, from the first on, since many could be under way before the
// first has failed.
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
  int64_t tenant_per_second = 5000;   // as many at once; 0: no limit
  int64_t failures_per_minute = 300;  // of credentials from one address; as many at once; 0: no limit
  size_t addresses_max = 50'000;
  size_t callers_max = 100'000;
};

// Who makes requests, and the buckets that they are charged to. Whoever asks often keeps it.
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

  // One request, or nothing of it.
  Verdict Take(const Requester& requester, const Limits& limits, int64_t now_ms);
  // One that costs their own bucket something only if it fails (Fine), for what has a limit of its own.
  Verdict TakeOnTrial(const Requester& requester, const Limits& limits, int64_t now_ms);
  void Fine(const Requester& requester, const Limits& limits, int64_t now_ms);
  // Whether the tenant's sum has room for one more, which is not taken.
  bool HasRoom(const Requester& requester, int64_t now_ms) const;

  // Whether credentials from this address (or group of addresses) are looked at.
  Verdict MayTry(std::string_view address, int64_t now_ms);
  void NoteFailure(std::string_view address, int64_t now_ms);
  // For a credential that is dear to check: takes `cost` before it is, or nothing. A good one gives it back.
  Verdict TakeTry(std::string_view address, int64_t now_ms, int64_t cost);
  void GiveBackTry(std::string_view address, int64_t now_ms, int64_t cost);

 private:
  Verdict Judge(const Requester& requester, const Limits& limits, int64_t now_ms, bool takes);
  Requester Of(LimitKind kind, const protocol::TenantId& tenant, std::string_view key, int64_t now_ms);

  const Rate tenant_rate_, address_rate_;
  LimitProbe probe_;
  Buckets callers_, tenants_, addresses_;
};

// RATE_LIMITED, as the verdict says.
protocol::Error RateLimited(const Verdict& verdict);

}  // namespace parley::accounts
