// Routes of table keys: a tenant's back end creates, lists and revokes them; a demo creates one for anyone.
#include "accounts/table_keys.h"
#include "accounts/tenants/demo.h"
#include "gateway/http/pages.h"
#include "gateway/http/route_traits.h"
#include "protocol/base/name.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"

namespace parley::gateway {
namespace {

using accounts::TableKey;
using accounts::TableKeyPtr;
using accounts::TableKeys;
using protocol::Error;
using protocol::Reason;
using protocol::TenantId;

struct TableName {
  std::string value;
  static constexpr std::string_view kSchemaPattern = "^[a-zA-Z0-9_.-]{3,255}$";
  static std::optional<TableName> FromText(std::string_view text) {
    if (!accounts::IsTableName(text)) return std::nullopt;
    return TableName{std::string(text)};
  }
  const std::string& ToText() const { return value; }
};
struct AccessKeyText {
  accounts::AccessKeyId id;
  static constexpr std::string_view kSchemaPattern = "^PKT[A-Z2-7]{17}$";
  static std::optional<AccessKeyText> FromText(std::string_view text) {
    auto id = accounts::AccessKeyId::FromText(text);
    return id ? std::optional(AccessKeyText{*std::move(id)}) : std::nullopt;
  }
  std::string ToText() const { return id.ToText(); }
};

struct Wish {
  std::optional<protocol::Text<accounts::kTableKeyNameMax>> name;
  std::optional<protocol::List<TableName, accounts::kTableKeyTablesMax>> tables;
  std::optional<bool> read_only;
  static constexpr void Fields(auto& field) {
    field("name", &Wish::name, "the purpose of the key");
    field("tables", &Wish::tables, "the tables that it opens; all if not given");
    field("readOnly", &Wish::read_only, "false if not given");
  }
};
struct WishOfTenant : Wish {
  TenantId tenant_id;
  static constexpr void Fields(auto& field) {
    using T = WishOfTenant;
    field("tenantId", &T::tenant_id, "the tenant");
    field("name", &T::name, "the purpose of the key");
    field("tables", &T::tables, "the tables that it opens; all if not given");
    field("readOnly", &T::read_only, "false if not given");
  }
};

struct MadeTableKey {
  AccessKeyText access_key_id;
  protocol::Omit<std::string> secret;
  static constexpr void Fields(auto& field) {
    field("accessKeyId", &MadeTableKey::access_key_id, "");
    field("secretAccessKey", &MadeTableKey::secret, "shown once");
  }
};

struct ListedTableKey {
  AccessKeyText access_key_id;
  std::string name;
  std::optional<protocol::List<std::string, accounts::kTableKeyTablesMax>> tables;
  bool read_only = false;
  accounts::TableKeyStatus status = accounts::TableKeyStatus::kActive;
  protocol::Time created_at;
  std::optional<protocol::Time> last_used_at;
  static constexpr void Fields(auto& field) {
    using T = ListedTableKey;
    field("accessKeyId", &T::access_key_id, "");
    field("name", &T::name, "");
    field("tables", &T::tables, "the tables that it opens; null: all");
    field("readOnly", &T::read_only, "");
    field("status", &T::status, "");
    field("createdAt", &T::created_at, "");
    field("lastUsedAt", &T::last_used_at, "");
  }
};
ListedTableKey Listed(const TableKey& key) {
  ListedTableKey out;
  out.access_key_id = {key.id};
  out.name = key.name;
  if (!key.tables.empty()) out.tables.emplace().items = key.tables;
  out.read_only = key.read_only;
  out.status = key.status;
  out.created_at = key.created_at;
  out.last_used_at = key.last_used_at;
  return out;
}

protocol::Result<TableKeys::Wish> ReadWish(const Call& call, Wish args) {
  TableKeys::Wish wish;
  wish.name = protocol::CleanTitle(args.name).value_or("");
  wish.read_only = args.read_only.value_or(false);
  if (args.tables && args.tables->items.empty()) return Error::BadField("tables", "must name a table");
  if (args.tables) {
    for (TableName& table : args.tables->items) wish.tables.push_back(std::move(table.value));
  }
  const std::string* repeat = call.exchange->request().Header("Idempotency-Key");
  if (repeat && !protocol::ClientId::FromText(*repeat))
    return Error::BadField("Idempotency-Key", "must be 1 to 64 printable ASCII characters");
  if (repeat) wish.idempotency_key = *repeat;
  return wish;
}

// Calls `then` on the loop, whichever thread the store answers on.
template <class T, class Reply, class Say>
std::function<void(protocol::Result<T>)> OnLoop(const Call& call, Answering<Reply> then, Say say) {
  return [&loop = call.io.loop(), then = std::move(then), say](protocol::Result<T> result) {
    loop.Post([then, say, result = std::move(result)] {
      if (!result.ok()) return then(result.error());
      then(say(*result));
    });
  };
}

void MakeFor(const Call& call, const TenantId& tenant, Wish args, Answering<MadeTableKey> then) {
  auto wish = ReadWish(call, std::move(args));
  if (!wish.ok()) return then(std::move(wish.error()));
  Node& node = call.node();
  wish->ahead_ms = node.clock().Now().ms - node.clock().Kept().ms;
  node.table_keys().Make(
      tenant, *std::move(wish), node.clock().Now(),
      OnLoop<TableKeys::Made, MadeTableKey>(call, std::move(then), [](const TableKeys::Made& made) {
        MadeTableKey out{{made.key->id}, {}};
        if (!made.secret.empty()) out.secret.value = made.secret;
        return out;
      }));
}

void Make(const Call& call, WishOfTenant args, Answering<MadeTableKey> then) {
  const TenantId tenant = args.tenant_id;
  MakeFor(call, tenant, std::move(args), std::move(then));
}

void MakeForDemo(const Call& call, Wish args, Answering<MadeTableKey> then) {
  MakeFor(call, protocol::Sure(TenantId::FromText(accounts::kDemoTenant)), std::move(args), std::move(then));
}

struct TableKeyArgs {
  TenantId tenant_id;
  AccessKeyText access_key_id;
  static constexpr void Fields(auto& field) {
    field("tenantId", &TableKeyArgs::tenant_id, "the tenant");
    field("accessKeyId", &TableKeyArgs::access_key_id, "the key");
  }
};
void Revoke(const Call& call, TableKeyArgs args, Answering<ListedTableKey> then) {
  call.node().table_keys().Revoke(
      args.tenant_id, args.access_key_id.id,
      OnLoop<TableKeyPtr, ListedTableKey>(call, std::move(then),
                                          [](const TableKeyPtr& key) { return Listed(*key); }));
}

struct TableKeyListArgs : PageArgs {
  TenantId tenant_id;
  static constexpr void Fields(auto& field) {
    field("tenantId", &TableKeyListArgs::tenant_id, "the tenant");
    field("limit", &TableKeyListArgs::limit, kLimitAbout);
    field("cursor", &TableKeyListArgs::cursor, kCursorAbout);
  }
};
void List(const Call& call, TableKeyListArgs args, Answering<Page<ListedTableKey>> then) {
  std::vector<ListedTableKey> all;
  for (const TableKeyPtr& key : call.node().table_keys().List(args.tenant_id)) all.push_back(Listed(*key));
  then(PageOfAll(call, "table-keys", args, std::move(all), [](const ListedTableKey& key) {
    return protocol::FormatTime(key.created_at) + " " + key.access_key_id.ToText();
  }));
}

}  // namespace

std::vector<HttpRoute> TableKeyRoutes() {
  const char* const kKeys = "/v1/tenants/{tenantId}/table-keys";
  constexpr HttpRoute::Traits kAnybody{.of_no_tenant = true, .secret = true};
  return {
      RouteTo<WishOfTenant, MadeTableKey, Make>(Method::kPost, kKeys, "createTableKey", kBackEnd, 201,
                                                "Creates a key for the DynamoDB API.", kSecretly),
      RouteTo<TableKeyListArgs, Page<ListedTableKey>, List>(Method::kGet, kKeys, "listTableKeys", kBackEnd,
                                                            200, "Lists table keys, including revoked ones.",
                                                            {.looks = true}),
      RouteTo<TableKeyArgs, ListedTableKey, Revoke>(
          Method::kPost, "/v1/tenants/{tenantId}/table-keys/{accessKeyId}/revoke", "revokeTableKey", kBackEnd,
          200, "Revokes a table key.", {.administers = true}),
      RouteTo<Wish, MadeTableKey, MakeForDemo>(Method::kPost, "/v1/demo/table-key", "createDemoTableKey",
                                               kAnyone, 201, "A table key of the demo tenant.", kAnybody),
  };
}

}  // namespace parley::gateway
