#include "accounts/tokens/access_token.h"

#include "accounts/users/user_reads.h"

namespace parley::accounts {

using protocol::Result;
using protocol::Time;
using protocol::UserId;

AccessToken MintAccessToken(const Grant& grant, const protocol::TenantId& tenant, Time now,
                            std::string_view secret, std::string_view kid) {
  const int64_t now_s = now.ms / 1000;
  Claims claims;
  claims.sub = grant.user.ToText();
  claims.tid = tenant.ToText();
  claims.role = protocol::NameOf(grant.role);
  claims.iat_s = now_s;
  claims.exp_s = now_s + grant.ttl_seconds;
  claims.scope = grant.scope;
  claims.attrs = grant.attributes;
  claims.sid = grant.family_id;
  return {SignHs256(claims, secret, kid), Time{claims.exp_s * 1000}};
}

Result<Judged> JudgeToken(const RecordReads& reads, const Claims& claims) {
  const auto user = UserId::FromText(claims.sub);
  const auto role = protocol::EnumFromName<UserRole>(claims.role);
  if (!user || !role || claims.tid != reads.tenant().ToText()) return Unauthenticated();
  PARLEY_TRY(standing, FindStanding(reads, *user));
  if (claims.sid.empty()) {
    if (standing.IsVoid(claims.iat_s)) return Unauthenticated();
    PARLEY_CHECK_OK(RequireNotSuspended(standing, reads.now()));
    return Judged{*user, *role, claims.attrs};
  }
  PARLEY_TRY(family, FindLiveFamily(reads, *user, claims.sid, standing));
  if (!family) return Unauthenticated();
  PARLEY_CHECK_OK(RequireNotSuspended(standing, reads.now()));
  PARLEY_TRY(record, FindUser(reads, *user));
  Judged out{*user};
  if (record) {
    out.role = record->role;
    out.attributes = std::move(record->attributes);
  }
  out.role = family->role.value_or(out.role);
  return out;
}

}  // namespace parley::accounts
