// Routes of the keys that sign the access tokens of a tenant's users.
#include <algorithm>

#include "accounts/tenants/administration.h"
#include "features/host/once.h"
#include "gateway/http/admin_acts.h"
#include "gateway/http/route_traits.h"
#include "gateway/http/tenant_decisions.h"
#include "protocol/base/reason.h"

namespace parley::gateway {
namespace {

using accounts::RecordTransaction;
using accounts::Tenant;
using protocol::CloseCode;
using protocol::Error;
using protocol::Reason;
using protocol::TenantId;

struct SigningKey {
  std::string kid;
  accounts::JwtAlg alg = accounts::JwtAlg::kHs256;
  protocol::Omit<std::string> public_key;
  protocol::Time created_at;
  static constexpr void Fields(auto& field) {
    using T = SigningKey;
    field("kid", &T::kid, "the id by which tokens name the key");
    field("alg", &T::alg, "the algorithm of its tokens");
    field("publicKey", &T::public_key, "PEM; a secret is never shown");
    field("createdAt", &T::created_at, "time at which it was last set");
  }
};
SigningKey ShownOf(const accounts::TokenKey& key) {
  SigningKey out{key.key.kid, key.key.alg, {}, key.created_at};
  if (key.key.alg != accounts::JwtAlg::kHs256) out.public_key.value = key.key.key;
  return out;
}

struct PutSigningKeyArgs {
  TenantId tenant_id;
  protocol::UserId kid;  // a kid has the same characters as a user id
  accounts::JwtAlg alg = accounts::JwtAlg::kHs256;
  std::optional<protocol::Text<1024>> secret;
  std::optional<protocol::Text<8192>> public_key;
  static constexpr void Fields(auto& field) {
    using T = PutSigningKeyArgs;
    field("tenantId", &T::tenant_id, "the tenant");
    field("kid", &T::kid, "the id by which tokens name the key");
    field("alg", &T::alg, "the algorithm of its tokens");
    field("secret", &T::secret, "for HS256: the key, at least 32 bytes");
    field("publicKey", &T::public_key, "for other algorithms: the public key as PEM");
  }
};
struct OneSigningKey {
  SigningKey key;
  static constexpr void Fields(auto& field) { field("signingKey", &OneSigningKey::key, ""); }
};

// Ends the sessions whose tokens the key signed: a removed or replaced key proves nothing.
Answering<Tenant> EndSessionsOf(const Call& call, const std::string& kid, Answering<Tenant> then) {
  return [&node = call.node(), kid, then = std::move(then)](protocol::Result<Tenant> tenant) {
    if (tenant.ok())
      node.Revoke({tenant->id,
                   {},
                   kid,
                   {},
                   {},
                   CloseCode::kUnauthenticated,
                   "the signing key was removed or replaced"});
    then(std::move(tenant));
  };
}

void PutSigningKey(const Call& call, PutSigningKeyArgs args, Answering<OneSigningKey> then) {
  const bool symmetric = args.alg == accounts::JwtAlg::kHs256;
  if (symmetric ? !args.secret || args.public_key : !args.public_key || args.secret)
    return then(
        Error::BadField(symmetric ? "secret" : "publicKey", "must be the only key given for this algorithm"));
  const accounts::VerifyKey key{args.alg, symmetric ? args.secret->value : args.public_key->value,
                                args.kid.ToText()};
  DecideTenant(
      call, args.tenant_id,
      Recorded(KeyAct(call, "signingKey.set", key.kid),
               [key](RecordTransaction& tx) { return accounts::PutTokenKey(tx, key); }),
      EndSessionsOf(call, key.kid, [kid = key.kid, then = std::move(then)](protocol::Result<Tenant> tenant) {
        if (!tenant.ok()) return then(std::move(tenant.error()));
        for (const accounts::TokenKey& one : tenant->own_keys) {
          if (one.key.kid == kid) return then(OneSigningKey{ShownOf(one)});
        }
        then(Error());
      }));
}

void ListSigningKeys(const Call& call, OfTenantArgs args, Answering<Page<SigningKey>> then) {
  const accounts::TenantPtr tenant = call.node().tenants().Find(args.tenant_id.ToText());
  if (!tenant) return then(ErrorFor(Reason::kNoTenant, "no such tenant"));
  std::vector<SigningKey> all;
  for (const accounts::TokenKey& key : tenant->own_keys) all.push_back(ShownOf(key));
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.kid < b.kid; });
  then(PageOfAll(call, "signing-keys", args, std::move(all), [](const SigningKey& key) { return key.kid; }));
}

struct SigningKeyArgs {
  TenantId tenant_id;
  protocol::UserId kid;
  static constexpr void Fields(auto& field) {
    field("tenantId", &SigningKeyArgs::tenant_id, "the tenant");
    field("kid", &SigningKeyArgs::kid, "the id by which tokens name the key");
  }
};

void DeleteSigningKey(const Call& call, SigningKeyArgs args, Answering<NoContent> then) {
  DecideTenant(
      call, args.tenant_id,
      Recorded(
          KeyAct(call, "signingKey.delete", args.kid.ToText()),
          [kid = args.kid.ToText()](RecordTransaction& tx) { return accounts::DeleteTokenKey(tx, kid); }),
      EndSessionsOf(call, args.kid.ToText(), [then = std::move(then)](protocol::Result<Tenant> tenant) {
        if (!tenant.ok()) return then(std::move(tenant.error()));
        then(NoContent{});
      }));
}

}  // namespace

std::vector<HttpRoute> SigningKeyRoutes() {
  using enum Method;
  const char* const kSigning = "/v1/tenants/{tenantId}/signing-keys";
  const char* const kSigningKey = "/v1/tenants/{tenantId}/signing-keys/{kid}";
  return {
      RouteTo<PutSigningKeyArgs, OneSigningKey, PutSigningKey>(
          kPut, kSigningKey, "putSigningKey", kBackEnd, 200,
          "Sets a key with which the tenant's back end signs access tokens, which name it by kid; one "
          "without "
          "kid is accepted only if the tenant has a single signing key of its algorithm.",
          kAdministers),
      RouteTo<OfTenantArgs, Page<SigningKey>, ListSigningKeys>(
          kGet, kSigning, "listSigningKeys", kBackEnd, 200,
          "Lists the tenant's signing keys, without secrets.", kLooks),
      RouteTo<SigningKeyArgs, NoContent, DeleteSigningKey>(
          kDelete, kSigningKey, "deleteSigningKey", kBackEnd, 204,
          "Deletes a signing key; tokens that it signed are rejected.", kAdministers),
  };
}

}  // namespace parley::gateway
