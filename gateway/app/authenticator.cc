#include "gateway/app/authenticator.h"

#include "accounts/jwt.h"
#include "accounts/permissions/permissions.h"
#include "accounts/tenants/demo.h"
#include "accounts/tenants/operator_key.h"
#include "accounts/tenants/tenant_keys.h"
#include "accounts/tokens/access_token.h"
#include "accounts/users/personal.h"
#include "accounts/users/user_changes.h"
#include "accounts/users/user_reads.h"
#include "features/host/cold_reads.h"
#include "features/host/records.h"
#include "gateway/app/node.h"
#include "gateway/app/origin.h"
#include "protocol/base/ascii.h"
#include "protocol/base/crypto.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"

namespace parley::gateway {

using accounts::CredentialState;
using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;

struct Authenticator::Found {
  Identity identity;
  accounts::ConnectFacts facts;
};

Authenticator::Authenticator(const accounts::TenantDirectory& tenants, const protocol::Clock& clock,
                             AuthenticatorSettings settings)
    : tenants_(tenants),
      clock_(clock),
      settings_(std::move(settings)),
      signatures_({}, protocol::RandomBytes(32)) {}

accounts::TenantPtr Authenticator::TenantOf(std::string_view token) const {
  const auto tid = accounts::UnverifiedTenant(token);
  return tid ? tenants_.Find(*tid) : nullptr;
}

std::variant<accounts::Claims, accounts::TokenFault> Authenticator::Verify(const accounts::Tenant& tenant,
                                                                           const std::string& token) const {
  const accounts::TokenRules rules{tenant.id.ToText() != accounts::kDemoTenant};
  const auto check = [&](const accounts::VerifyKey& key, std::string_view input, std::string_view signature) {
    const accounts::SecretProof proof{"", std::string(accounts::FingerprintOf(key))};
    if (proof.proof.empty()) return accounts::VerifySignature(key, input, signature);
    const int64_t now_ms = clock_.MonotonicMs();
    if (signatures_.Knows(token, proof, now_ms)) return true;
    const bool good = accounts::VerifySignature(key, input, signature);
    if (good) signatures_.Remember(token, proof, now_ms);
    return good;
  };
  return accounts::VerifyToken(token, tenant.token_keys, clock_.Now().ms / 1000, rules, check);
}

bool Authenticator::NeedsSignatureCheck(std::string_view credential) const {
  const accounts::TenantPtr tenant = TenantOf(credential);
  const accounts::VerifyKey* key = tenant ? accounts::KeyOf(credential, tenant->token_keys) : nullptr;
  if (!key || !key->parsed) return false;
  return !signatures_.Knows(credential, {"", std::string(accounts::FingerprintOf(*key))},
                            clock_.MonotonicMs());
}

bool Authenticator::CheckSignature(std::string_view credential) const {
  const accounts::TenantPtr tenant = TenantOf(credential);
  if (!tenant) return false;
  const auto verified = Verify(*tenant, std::string(credential));
  const auto* fault = std::get_if<accounts::TokenFault>(&verified);
  return !fault || *fault == accounts::TokenFault::kExpired;
}

protocol::Result<bool> Authenticator::IsOperator(const Knock& knock) const {
  const bool is_operator = !settings_.operator_key.empty() &&
                           protocol::ConstantTimeEqual(settings_.operator_key, knock.credential);
  if (is_operator && knock.is_public) return ErrorFor(Reason::kNoPath, "no such path");
  return is_operator;
}

protocol::Status Authenticator::FindTenantKey(const storage::Reader& reader, const Knock& knock,
                                              Found* found) const {
  found->facts.is_service = true;
  found->identity.caller.role = threads::Role::kService;
  if (!settings_.demo_key.empty() && protocol::ConstantTimeEqual(settings_.demo_key, knock.credential)) {
    found->facts.credential = CredentialState::kGood;
    found->facts.tenant = tenants_.Find(accounts::kDemoTenant);
    return protocol::Ok();
  }
  PARLEY_TRY(known, accounts::FindTenantKey(reader, knock.credential, clock_.Now(), settings_.sealer));
  if (!known) return protocol::Ok();
  found->facts.credential = CredentialState::kGood;
  found->facts.tenant = tenants_.Find(known->tenant.ToText());
  found->identity.key_id = std::move(known->key_id);
  return protocol::Ok();
}

protocol::Status Authenticator::FindToken(const storage::Reader& reader, const Knock& knock,
                                          Found* found) const {
  const accounts::TenantPtr tenant = TenantOf(knock.credential);
  if (!tenant) return protocol::Ok();
  const protocol::Time now = clock_.Now();
  const auto verified = Verify(*tenant, knock.credential);
  if (const auto* fault = std::get_if<accounts::TokenFault>(&verified)) {
    if (*fault == accounts::TokenFault::kExpired) found->facts.credential = CredentialState::kExpired;
    return protocol::Ok();
  }
  const auto& claims = std::get<accounts::Claims>(verified);
  if (claims.tid != tenant->id.value) return protocol::Ok();
  found->facts.tenant = tenant;
  found->identity.expires_at = protocol::Time{claims.exp_s * 1000};
  found->identity.kid = claims.kid;
  found->identity.family = claims.sid;
  found->facts.reads_only = claims.scope == "read";
  const accounts::RecordReads reads(reader, tenant->id, now, settings_.sealer);
  PARLEY_CHECK_OK(TakeJudged(reads, accounts::JudgeToken(reads, claims), found));
  const bool good = found->facts.credential == CredentialState::kGood && !found->facts.user_suspended;
  if (!good || !tenant->settings.auto_provision.value.value_or(false)) return protocol::Ok();
  PARLEY_TRY(record, accounts::FindUser(reads, protocol::Sure(found->identity.caller.user)));
  if (!record) found->identity.newcomer = std::make_shared<const accounts::Claims>(claims);
  return protocol::Ok();
}

// Authenticate has had the secret proven before.
protocol::Status Authenticator::FindApiKey(const storage::Reader& reader, const Knock& knock,
                                           Found* found) const {
  if (!knock.proven) return protocol::Ok();
  found->facts.tenant = tenants_.Find(knock.proven->tenant.ToText());
  found->identity.key_id = knock.proven->key_id;
  const accounts::RecordReads reads(reader, knock.proven->tenant, clock_.Now(), settings_.sealer);
  return TakeJudged(reads, accounts::JudgeApiKey(reads, knock.proven->user, knock.proven->key_id), found);
}

protocol::Status Authenticator::TakeJudged(const accounts::RecordReads& reads,
                                           protocol::Result<accounts::Judged> judged, Found* found) {
  if (!judged.ok()) {
    const ErrorCode code = judged.error().code;
    if (code != ErrorCode::kUnauthenticated && code != ErrorCode::kForbidden)
      return std::move(judged.error());
    found->facts.user_suspended = code == ErrorCode::kForbidden;
    if (found->facts.user_suspended) found->facts.credential = CredentialState::kGood;
    return protocol::Ok();
  }
  found->facts.credential = CredentialState::kGood;
  Identity& identity = found->identity;
  identity.caller.role =
      protocol::Sure(protocol::EnumFromName<threads::Role>(protocol::NameOf(judged->role)));
  identity.caller.user = judged->user;
  if (judged->expires_at) identity.expires_at = judged->expires_at;
  const accounts::Personal said = accounts::PersonalOf(judged->attributes);
  identity.caller.verified = said.verified;
  identity.caller.trusted = said.trusted;
  identity.caller.age = said.age;
  const auto adult = judged->attributes.find("adult");
  identity.adult = adult != judged->attributes.end() && adult->second == accounts::AttrValue(true);
  if (identity.adult) {
    PARLEY_TRY(record, accounts::FindUser(reads, judged->user));
    identity.caller.mature = record && accounts::PrefersNoSafeMode(*record);
  }
  PARLEY_TRY(level, accounts::LevelOnTenant(reads, judged->user));
  if (level && *level == accounts::Level::kRead) found->facts.reads_only = true;
  identity.reads_only = found->facts.reads_only;
  return protocol::Ok();
}

protocol::Result<Identity> Authenticator::Judge(const storage::Reader& reader, const Knock& knock) const {
  Found found;
  found.facts.writes = knock.writes;
  found.facts.origin = knock.origin;
  if (knock.credential.starts_with(accounts::kOperatorKeyPrefix)) {
    PARLEY_TRY(is_operator, IsOperator(knock));
    found.identity.is_operator = found.facts.is_operator = is_operator;
    if (is_operator) found.facts.credential = CredentialState::kGood;
    found.facts.tenant = tenants_.Find(knock.tenant);
    found.facts.origin = {};  // no web page has the operator's key
    found.identity.caller.role = threads::Role::kService;
  } else if (knock.credential.starts_with(accounts::kTenantKeyPrefix)) {
    PARLEY_CHECK_OK(FindTenantKey(reader, knock, &found));
  } else if (knock.credential.starts_with(accounts::kApiKeyPrefix)) {
    PARLEY_CHECK_OK(FindApiKey(reader, knock, &found));
  } else {
    PARLEY_CHECK_OK(FindToken(reader, knock, &found));
  }
  PARLEY_CHECK_OK(accounts::DecideConnect(found.facts, knock.purpose));
  threads::Caller& caller = found.identity.caller;
  caller.tenant = found.facts.tenant->id;
  const auto& access = found.facts.tenant->settings.staff_access.value;
  const bool by_case = access ? *access == accounts::StaffAccess::kCases : settings_.staff_by_case;
  caller.by_case = by_case && caller.is_staff();
  return std::move(found.identity);
}

std::optional<std::string_view> Authenticator::Bearer(std::string_view header) {
  constexpr std::string_view kScheme = "bearer ";
  if (header.size() <= kScheme.size()) return std::nullopt;
  for (size_t i = 0; i < kScheme.size(); ++i) {
    if (protocol::LowerOf(header[i]) != kScheme[i]) return std::nullopt;
  }
  return header.substr(kScheme.size());
}

bool IsPublic(const Config& config, const HttpRequest& request) {
  return !config.admin_listen.empty() && !request.admin;
}

protocol::Result<Knock> KnockOf(const Config& config, const HttpRequest& request) {
  const std::string* header = request.Header("Authorization");
  const auto credential = header ? Authenticator::Bearer(*header) : std::nullopt;
  if (!credential) return ErrorFor(Reason::kNoCredential, "Authorization: Bearer … is required");
  Knock knock;
  knock.credential = *credential;
  knock.origin = config.demo ? std::string() : ForeignOrigin(request);
  knock.address = request.address;
  knock.is_public = IsPublic(config, request);
  return knock;
}

namespace {

using Then = std::function<void(protocol::Result<Identity>)>;

void JudgeAnywhere(IoThread& io, const ReadRoad& road, Knock knock, Then then) {
  ReadAnywhere<Identity>(
      io, road,
      [&authenticator = std::as_const(io.node()).authenticator(), knock = std::move(knock)](
          const storage::Reader& reader) { return authenticator.Judge(reader, knock); },
      std::move(then));
}

// Finds the key, proves its secret on the hash pool, and judges by the store's state afterwards.
void AuthenticateByApiKey(IoThread& io, const ReadRoad& road, Knock knock, Then then) {
  Node& node = io.node();
  auto prove = [&io, &node, road, knock, then](protocol::Result<accounts::FoundApiKey> found) {
    if (!found.ok()) return then(std::move(found.error()));
    auto judge = [&io, road, knock, then, key = *found](const protocol::Result<bool>& proven) mutable {
      if (!proven.ok()) return then(proven.error());
      if (*proven) knock.proven = Knock::Proven{key.tenant, key.key.user, key.key.id};
      if (*proven && accounts::IsUseDue(key.key, io.node().clock().Now()))
        io.node().NoteApiKeyUse(key.tenant, key.key.user, key.key.id);
      JudgeAnywhere(io, road, std::move(knock), then);
    };
    const accounts::SecretProof proof = found->key.proof;
    const std::string owner = found->tenant.ToText();
    const accounts::Verdict may = node.rate_limits().TakeTry(knock.address, RateLimits::kPasswordHashCost);
    if (!may.allowed) return then(accounts::RateLimited(may));
    node.prover().Prove(
        owner, knock.credential, proof,
        [&loop = io.loop(), &node, address = knock.address, judge](protocol::Result<bool> proven) {
          if (!proven.ok() || *proven) node.rate_limits().GiveBackTry(address, RateLimits::kPasswordHashCost);
          loop.Post([judge, proven]() mutable { judge(proven); });
        });
  };
  ReadAnywhere<accounts::FoundApiKey>(
      io, road,
      [&node = std::as_const(node), secret = knock.credential](const storage::Reader& reader) {
        return accounts::FindApiKey(reader, secret, node.clock().Now(), node.sealer());
      },
      std::move(prove));
}

}  // namespace

void CheckSignature(IoThread& io, const std::string& credential, const std::string& address,
                    std::function<void(protocol::Status)> then) {
  Node& node = io.node();
  const Authenticator& authenticator = std::as_const(node).authenticator();
  if (!authenticator.NeedsSignatureCheck(credential)) return then(protocol::Ok());
  const accounts::Verdict may = node.rate_limits().TakeTry(address, RateLimits::kSignatureCost);
  if (!may.allowed) return then(accounts::RateLimited(may));
  const auto good = std::make_shared<bool>(false);
  // Moved, not copied: `then` belongs to the loop and is destroyed there.
  auto report = std::make_shared<std::function<void(const protocol::Status&)>>(
      [&limits = node.rate_limits(), address, good, then = std::move(then)](const protocol::Status& status) {
        const bool was_bad = status.ok() && !*good;
        if (!was_bad) limits.GiveBackTry(address, RateLimits::kSignatureCost);
        then(was_bad ? protocol::Status(accounts::Unauthenticated()) : status);
      });
  // Queued for the tenant that the token claims: a flood of forged tokens delays no other tenant.
  const std::string owner = accounts::UnverifiedTenant(credential).value_or(std::string());
  node.signature_check_pool().Submit(
      owner, [&authenticator, good, credential] { *good = authenticator.CheckSignature(credential); },
      [&loop = io.loop(), report = std::move(report)](const protocol::Status& status) mutable {
        loop.Post([report = std::move(report), status] { (*report)(status); });
      });
}

namespace {

// Admits a new user once the record is on disk.
void LetNewcomerIn(IoThread& io, Identity identity, const Then& done) {
  const auto claims = std::move(identity.newcomer);
  const protocol::TenantId tenant = identity.caller.tenant;
  DecideRecords<std::optional<accounts::User>>(
      io, tenant,
      [claims](accounts::RecordTransaction& tx) { return accounts::EnsureUser(tx, *claims, true); },
      [identity = std::move(identity), done](const protocol::Result<std::optional<accounts::User>>& made) {
        if (!made.ok()) return done(made.error());
        done(identity);
      });
}

}  // namespace

namespace {

// Logs a page that the tenant of a good credential does not allow.
void NoteOrigin(Node& node, const Knock& knock) {
  node.errors().NoteOrigin(knock.origin, [&]() -> std::string {
    const auto id = accounts::UnverifiedTenant(knock.credential);
    const accounts::TenantPtr tenant = id ? node.tenants().Find(*id) : nullptr;
    return tenant ? accounts::OriginsShown(tenant->allowed_origins()) : "those of the credential's tenant";
  });
}

}  // namespace

void Authenticate(IoThread& io, const ReadRoad& road, Knock knock, Then done) {
  RateLimits& limits = io.node().rate_limits();
  const accounts::Verdict may_try = limits.MayTry(knock.address);
  if (!may_try.allowed) return done(accounts::RateLimited(may_try));
  Then then = [&io, &limits, knock, done = std::move(done)](protocol::Result<Identity> judged) {
    if (!judged.ok()) limits.NoteFailure(knock.address, judged.error());
    if (!judged.ok() && accounts::RefusesPage(judged.error())) NoteOrigin(io.node(), knock);
    if (judged.ok() && judged->caller.is_service() && !judged->key_id.empty())
      io.node().NoteTenantKeyUse(judged->caller.tenant, judged->key_id, knock.credential);
    if (judged.ok() && judged->newcomer) return LetNewcomerIn(io, *std::move(judged), done);
    done(std::move(judged));
  };
  if (knock.credential.starts_with(accounts::kApiKeyPrefix))
    return AuthenticateByApiKey(io, road, std::move(knock), std::move(then));
  const std::string credential = knock.credential, address = knock.address;
  CheckSignature(
      io, credential, address,
      [&io, road, knock = std::move(knock), then = std::move(then)](const protocol::Status& checked) {
        if (!checked.ok()) return then(checked.error());
        JudgeAnywhere(io, road, knock, then);
      });
}

}  // namespace parley::gateway
