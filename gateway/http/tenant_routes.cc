// Routes of tenants and of their keys.
#include <algorithm>

#include "accounts/tenants/administration.h"
#include "accounts/tenants/demo.h"
#include "accounts/tenants/tenant_keys.h"
#include "features/host/once.h"
#include "features/host/records.h"
#include "features/settings.h"
#include "gateway/http/admin_acts.h"
#include "gateway/http/pages.h"
#include "gateway/http/route_traits.h"
#include "gateway/http/tenant_decisions.h"
#include "protocol/base/crypto.h"
#include "protocol/base/name.h"
#include "protocol/base/reason.h"
#include "storage/engine/item_keys.h"

namespace parley::gateway {
namespace {

using accounts::RecordReads;
using accounts::RecordTransaction;
using accounts::Tenant;
using accounts::TenantKey;
using features::AnswerOf;
using features::TenantAnswer;
using protocol::CloseCode;
using protocol::Error;
using protocol::Reason;
using protocol::TenantId;

Answering<Tenant> AsAnswer(Answering<TenantAnswer> then) {
  return [then = std::move(then)](protocol::Result<Tenant> tenant) {
    if (!tenant.ok()) return then(std::move(tenant.error()));
    then(AnswerOf(*tenant));
  };
}

// --- tenants

struct NewTenantId {
  TenantId id;
  static constexpr std::string_view kSchemaPattern = "^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$";
  static std::optional<NewTenantId> FromText(std::string_view text) {
    auto id = accounts::NewTenantId(text);
    return id ? std::optional(NewTenantId{*std::move(id)}) : std::nullopt;
  }
  const std::string& ToText() const { return id.ToText(); }
};

struct MakeTenantArgs {
  NewTenantId tenant_id;
  protocol::Text<accounts::kTenantNameBytesMax> name;
  std::optional<protocol::Json> settings;
  static constexpr void Fields(auto& field) {
    field("tenantId", &MakeTenantArgs::tenant_id, "3 to 40 of a-z, 0-9 and hyphens, none at an end");
    field("name", &MakeTenantArgs::name, "its name for people");
    field("settings", &MakeTenantArgs::settings, "the settings that differ from the defaults");
  }
};
struct OneTenant {
  TenantAnswer tenant;
  static constexpr void Fields(auto& field) { field("tenant", &OneTenant::tenant, ""); }
};
Answering<TenantAnswer> Within(Answering<OneTenant> then) {
  return [then = std::move(then)](protocol::Result<TenantAnswer> tenant) {
    if (!tenant.ok()) return then(std::move(tenant.error()));
    then(OneTenant{*std::move(tenant)});
  };
}

std::string JsonOf(const protocol::Json& value) {
  return protocol::MsgpackToJson(value.msgpack);
}

Error BlankName() {
  return Error::BadField("name", "must not be blank");
}

void Make(const Call& call, MakeTenantArgs args, Answering<OneTenant> then) {
  const std::string name = protocol::CleanName(args.name.value);
  if (name.empty()) return then(BlankName());
  const std::string settings = args.settings ? JsonOf(*args.settings) : "{}";
  auto checked = accounts::MergeSettings(accounts::kNewTenantSettings, settings);  // leaves nulls out
  if (!checked.ok()) return then(std::move(checked.error()));
  if (auto sound = features::CheckSettings(*checked); !sound.ok()) return then(std::move(sound.error()));
  const TenantId id = args.tenant_id.id;
  if (id.ToText() == accounts::kDemoTenant)
    return then(ErrorFor(Reason::kTenantExists, "this id is reserved for demos"));
  accounts::NewTenant wish{id, name, *std::move(checked), protocol::RandomBytes(32)};
  // A repeat makes no decision, so it has no tenant to publish.
  auto decided = std::make_shared<std::optional<DecidedTenant>>();
  features::DecideOnce<OneTenant>(
      call, id,
      Recorded(ActOf(call, "tenant.create"),
               [&node = call.node(), decided,
                wish = std::move(wish)](RecordTransaction& tx) -> protocol::Result<OneTenant> {
                 PARLEY_TRY(made, accounts::MakeTenant(tx, wish, node.tenants().size()));
                 *decided = DecidedTenant{made, node.NextTenantOrder()};
                 return OneTenant{AnswerOf(made)};
               }),
      [](OneTenant reply) { return reply; },
      [&node = call.node(), decided, then](protocol::Result<OneTenant> made) {
        if (made.ok() && *decided)
          node.tenants().Publish(std::make_shared<const Tenant>((*decided)->tenant), (*decided)->order);
        then(std::move(made));
      },
      storage::EngineTenant());
}

struct TenantListArgs : PageArgs {
  static constexpr void Fields(auto& field) {
    field("limit", &TenantListArgs::limit, kLimitAbout);
    field("cursor", &TenantListArgs::cursor, kCursorAbout);
  }
};

void List(const Call& call, TenantListArgs args, Answering<Page<TenantAnswer>> then) {
  std::vector<TenantAnswer> all;
  for (const accounts::TenantPtr& tenant : call.node().tenants().All()) {
    if (call.who.is_operator || tenant->id == call.tenant()) all.push_back(AnswerOf(*tenant));
  }
  then(PageOfAll(call, "tenants", args, std::move(all), [](const TenantAnswer& tenant) {
    return protocol::FormatTime(tenant.created_at) + " " + tenant.tenant_id.ToText();
  }));
}

struct TenantArgs {
  TenantId tenant_id;
  static constexpr void Fields(auto& field) { field("tenantId", &TenantArgs::tenant_id, "the tenant"); }
};

void Get(const Call& call, TenantArgs args, Answering<OneTenant> then) {
  const accounts::TenantPtr tenant = call.node().tenants().Find(args.tenant_id.ToText());
  if (!tenant) return then(ErrorFor(Reason::kNoTenant, "no such tenant"));
  then(OneTenant{AnswerOf(*tenant)});
}

struct ChangeTenantArgs {
  TenantId tenant_id;
  protocol::Bounded<1, protocol::kMaxSafeInteger> version;
  std::optional<protocol::Text<accounts::kTenantNameBytesMax>> name;
  std::optional<protocol::Json> settings;
  static constexpr void Fields(auto& field) {
    using T = ChangeTenantArgs;
    field("tenantId", &T::tenant_id, "the tenant");
    field("version", &T::version, "the version that the change is based on");
    field("name", &T::name, "its name for people");
    field("settings", &T::settings, "merged at every depth (RFC 7396): null removes a member");
  }
};

void Change(const Call& call, ChangeTenantArgs args, Answering<OneTenant> then) {
  accounts::TenantChange change{args.version.value, {}, {}};
  change.name = protocol::CleanTitle(args.name);
  if (args.name && !change.name) return then(BlankName());
  if (args.settings) {
    change.settings_patch = JsonOf(*args.settings);
    const auto set = accounts::MergeSettings("{}", *change.settings_patch);  // leaves nulls out
    if (!set.ok()) return then(set.error());
    if (auto sound = features::CheckSettings(*set); !sound.ok()) return then(std::move(sound.error()));
  }
  accounts::AuditAct act = ActOf(call, "tenant.change");
  act.after = protocol::StatesOf({{"version", std::to_string(change.version + 1)}});
  if (change.settings_patch)  // the settings are no secret, but may be long
    act.after->members.emplace_back("settings", protocol::AuditHash(*change.settings_patch));
  if (change.name) act.after->members.emplace_back("name", *change.name);
  DecideTenant(
      call, args.tenant_id,
      Recorded(std::move(act), [change = std::move(change)](
                                   RecordTransaction& tx) { return accounts::ChangeTenant(tx, change); }),
      AsAnswer(Within(std::move(then))));
}

template <accounts::TenantStatus kStatus>
void SetStatus(const Call& call, TenantArgs args, Answering<OneTenant> then) {
  accounts::AuditAct act = ActOf(call, "tenant.status");
  act.after = protocol::StatesOf({{"status", protocol::NameOf(kStatus)}});
  DecideTenant(
      call, args.tenant_id,
      Recorded(std::move(act), [](RecordTransaction& tx) { return accounts::SetTenantStatus(tx, kStatus); }),
      [&node = call.node(), then = AsAnswer(Within(std::move(then)))](protocol::Result<Tenant> tenant) {
        if (tenant.ok() && kStatus == accounts::TenantStatus::kSuspended)
          node.Revoke({tenant->id, {}, {}, {}, {}, CloseCode::kForbidden, "the tenant is suspended"});
        then(std::move(tenant));
      });
}

// --- tenant keys

struct NewTenantKeyArgs {
  TenantId tenant_id;
  std::optional<protocol::Text<accounts::kKeyNameBytesMax>> name;
  static constexpr void Fields(auto& field) {
    field("tenantId", &NewTenantKeyArgs::tenant_id, "the tenant");
    field("name", &NewTenantKeyArgs::name, "the purpose of the key");
  }
};
struct MadeTenantKey {
  TenantKey key;
  protocol::Omit<std::string> secret;
  static constexpr void Fields(auto& field) {
    field("key", &MadeTenantKey::key, "");
    field("secret", &MadeTenantKey::secret, "shown once");
  }
};

void AddTenantKey(const Call& call, NewTenantKeyArgs args, Answering<MadeTenantKey> then) {
  Node& node = call.node();
  accounts::NewTenantKey wish{"key_" + call.io.ids().Make(node.clock().Now()).ToText(),
                              accounts::TenantKeyFrom(protocol::RandomBytes(32)),
                              protocol::CleanTitle(args.name).value_or("")};
  features::DecideOnce<MadeTenantKey>(
      call, args.tenant_id,
      Recorded(KeyAct(call, "tenantKey.create", wish.key_id),
               [wish](RecordTransaction& tx) -> protocol::Result<MadeTenantKey> {
                 PARLEY_TRY(key, accounts::MakeTenantKey(tx, wish));
                 return MadeTenantKey{std::move(key), {wish.secret}};
               }),
      [](MadeTenantKey reply) {
        reply.secret.value.reset();
        return reply;
      },
      std::move(then));
}

void ListKeys(const Call& call, OfTenantArgs args, Answering<Page<TenantKey>> then) {
  ReadRecords<std::vector<TenantKey>>(
      call.io, call.io.road(args.tenant_id), args.tenant_id,
      [](const RecordReads& reads) { return accounts::ListTenantKeys(reads); },
      [call, args, then = std::move(then)](protocol::Result<std::vector<TenantKey>> keys) {
        if (!keys.ok()) return then(std::move(keys.error()));
        then(PageOfAll(call, "tenant-keys", args, *std::move(keys), [](const TenantKey& key) {
          return protocol::FormatTime(key.created_at) + " " + key.key_id;
        }));
      });
}

struct TenantKeyArgs {
  TenantId tenant_id;
  protocol::Text<64> key_id;
  static constexpr void Fields(auto& field) {
    field("tenantId", &TenantKeyArgs::tenant_id, "the tenant");
    field("keyId", &TenantKeyArgs::key_id, "the key");
  }
};
struct OneKey {
  TenantKey key;
  static constexpr void Fields(auto& field) { field("key", &OneKey::key, ""); }
};

void RevokeKey(const Call& call, TenantKeyArgs args, Answering<OneKey> then) {
  DecideRecords<OneKey>(call.io, args.tenant_id,
                        Recorded(KeyAct(call, "tenantKey.revoke", args.key_id.value),
                                 [id = args.key_id.value](RecordTransaction& tx) -> protocol::Result<OneKey> {
                                   PARLEY_TRY(key, accounts::RevokeTenantKey(tx, id));
                                   return OneKey{std::move(key)};
                                 }),
                        std::move(then));
}

constexpr HttpRoute::Traits kOfNoTenant{.of_no_tenant = true};

}  // namespace

std::vector<HttpRoute> TenantRoutes() {
  using enum Method;
  using Status = accounts::TenantStatus;
  const char* const kTenants = "/v1/tenants";
  const char* const kTenant = "/v1/tenants/{tenantId}";
  const char* const kKeys = "/v1/tenants/{tenantId}/keys";
  HttpRoute::Traits list = kLooks;
  list.of_no_tenant = true;
  return {
      RouteTo<MakeTenantArgs, OneTenant, Make>(kPost, kTenants, "createTenant", kOperator, 201,
                                               "Creates a tenant, in status onboarding.", kOfNoTenant),
      RouteTo<TenantListArgs, Page<TenantAnswer>, List>(
          kGet, kTenants, "listTenants", kBackEnd, 200,
          "Lists all tenants in order of createdAt; a tenant key sees its own only.", list),
      RouteTo<TenantArgs, OneTenant, Get>(kGet, kTenant, "getTenant", kBackEnd, 200, "A tenant.", kLooks),
      RouteTo<ChangeTenantArgs, OneTenant, Change>(kPatch, kTenant, "changeTenant", kBackEnd, 200,
                                                   "Changes a tenant's name and settings.", kAdministers),
      RouteTo<TenantArgs, OneTenant, SetStatus<Status::kActive>>(
          kPost, "/v1/tenants/{tenantId}/activate", "activateTenant", kOperator, 200,
          "Activates a tenant, so that its users can connect.", kAdministers),
      RouteTo<TenantArgs, OneTenant, SetStatus<Status::kSuspended>>(
          kPost, "/v1/tenants/{tenantId}/suspend", "suspendTenant", kOperator, 200,
          "Suspends a tenant: ends its sessions and rejects all requests but reads of its administration.",
          kAdministers),
      RouteTo<NewTenantKeyArgs, MadeTenantKey, AddTenantKey>(kPost, kKeys, "createTenantKey", kBackEnd, 201,
                                                             "Creates a key for the tenant's back end.",
                                                             kSecretly),
      RouteTo<OfTenantArgs, Page<TenantKey>, ListKeys>(kGet, kKeys, "listTenantKeys", kBackEnd, 200,
                                                       "Lists the tenant's keys, including revoked ones.",
                                                       kLooks),
      RouteTo<TenantKeyArgs, OneKey, RevokeKey>(kPost, "/v1/tenants/{tenantId}/keys/{keyId}/revoke",
                                                "revokeTenantKey", kBackEnd, 200, "Revokes a tenant key.",
                                                kAdministers),
  };
}

}  // namespace parley::gateway
