#include "gateway/table_key_routes.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "accounts/sigv4_canonical.h"
#include "accounts/tenants.h"
#include "gateway/http_json.h"
#include "gateway/node.h"
#include "protocol/schema.h"

namespace parley::gateway {
namespace {

using accounts::TableKey;
using accounts::TableKeyPtr;
using accounts::TableKeys;
using protocol::Error;
using protocol::ErrorCode;

constexpr std::string_view kDemoPath = "/v1/demo/table-key";
constexpr std::string_view kTenantsPath = "/v1/tenants/";
constexpr std::string_view kKeysPart = "/table-keys";
constexpr std::string_view kRevokePart = "/revoke";
constexpr std::string_view kListQuery = "table-keys";  // what a cursor is bound to
constexpr size_t kPageDefault = 50;
constexpr size_t kPageMax = 200;

struct TableName {
  std::string value;
  static std::optional<TableName> FromText(std::string_view text) {
    if (!accounts::IsTableName(text)) return std::nullopt;
    return TableName{std::string(text)};
  }
  const std::string& ToText() const { return value; }
};

struct TableKeyArgs {
  std::optional<protocol::Text<accounts::kTableKeyNameMax>> name;
  std::optional<protocol::List<TableName, accounts::kTableKeyTablesMax>> tables;
  std::optional<bool> read_only;
  static constexpr void Fields(auto& field) {
    using T = TableKeyArgs;
    field("name", &T::name, "what it is for");
    field("tables", &T::tables, "which tables it opens; all if not given");
    field("readOnly", &T::read_only, "false if not given");
  }
};

struct NoArgs {
  static constexpr void Fields(auto&) {}
};

struct MadeTableKey {
  accounts::AccessKeyId access_key_id;
  protocol::Omit<std::string> secret;
  static constexpr void Fields(auto& field) {
    using T = MadeTableKey;
    field("accessKeyId", &T::access_key_id, "");
    field("secretAccessKey", &T::secret, "shown once");
  }
};

struct ListedTableKey {
  accounts::AccessKeyId access_key_id;
  std::string name;
  std::optional<protocol::List<std::string, accounts::kTableKeyTablesMax>> tables;  // null: all
  bool read_only = false;
  accounts::TableKeyStatus status = accounts::TableKeyStatus::kActive;
  protocol::Time created_at;
  std::optional<protocol::Time> last_used_at;
  static constexpr void Fields(auto& field) {
    using T = ListedTableKey;
    field("accessKeyId", &T::access_key_id, "");
    field("name", &T::name, "");
    field("tables", &T::tables, "");
    field("readOnly", &T::read_only, "");
    field("status", &T::status, "");
    field("createdAt", &T::created_at, "");
    field("lastUsedAt", &T::last_used_at, "");
  }
};

struct TableKeyPage {
  protocol::List<ListedTableKey, kPageMax> items;
  std::optional<std::string> cursor;
  static constexpr void Fields(auto& field) {
    field("items", &TableKeyPage::items, "");
    field("cursor", &TableKeyPage::cursor, "");
  }
};

template <class T>
HttpResponse Answer(int status, const T& value) {
  return JsonAnswer(status, protocol::MsgpackToJson(protocol::Encode(value)));
}

ListedTableKey Listed(const TableKey& key) {
  ListedTableKey out;
  out.access_key_id = key.id;
  out.name = key.name;
  if (!key.tables.empty()) out.tables.emplace().items = key.tables;
  out.read_only = key.read_only;
  out.status = key.status;
  out.created_at = key.created_at;
  out.last_used_at = key.last_used_at;
  return out;
}

// The body, as `Args`.
template <class Args>
protocol::Result<Args> ReadBody(const HttpRequest& request, const Config& config) {
  PARLEY_TRY(body, JsonBody(request, static_cast<size_t>(config.max_frame_bytes)));
  Args args;
  PARLEY_CHECK_OK(protocol::Bind(body.root, &args));
  return args;
}

protocol::Result<TableKeys::Wish> ReadWish(const HttpRequest& request, const Config& config) {
  PARLEY_TRY(args, ReadBody<TableKeyArgs>(request, config));
  TableKeys::Wish wish;
  if (args.name) wish.name = std::move(args.name->value);
  wish.read_only = args.read_only.value_or(false);
  if (args.tables && args.tables->items.empty()) return Error::BadField("tables", "must name a table");
  if (args.tables) {
    for (TableName& table : args.tables->items) wish.tables.push_back(std::move(table.value));
  }
  const std::string* repeat = request.Header("Idempotency-Key");
  if (repeat && !protocol::ClientId::FromText(*repeat))
    return Error::BadField("Idempotency-Key", "must be 1 to 64 printable ASCII characters");
  if (repeat) wish.idempotency_key = *repeat;
  return wish;
}

struct PageArgs {
  size_t limit = kPageDefault;
  std::string cursor;
};

protocol::Result<PageArgs> ReadPageArgs(const HttpRequest& request) {
  const auto parameters = accounts::ParseQuery(accounts::QueryOf(request.target));
  if (!parameters) return Error::BadRequest("the query cannot be read");
  PageArgs out;
  for (const auto& [name, value] : *parameters) {
    if (name == "cursor") {
      out.cursor = value;
      continue;
    }
    if (name != "limit") return protocol::UnknownField(name);
    const auto read = std::from_chars(value.data(), value.data() + value.size(), out.limit);
    if (read.ec != std::errc() || read.ptr != value.data() + value.size() || out.limit < 1 ||
        out.limit > kPageMax)
      return Error::BadField("limit", "must be a number from 1 to 200");
  }
  return out;
}

// Where a key is in the list: "time id", both of fixed length.
std::string PositionOf(const TableKey& key) {
  return protocol::FormatTime(key.created_at) + " " + key.id.ToText();
}

// What a path asks for.
struct Place {
  bool demo = false;
  std::string_view tenant = accounts::kDemoTenant;
  std::optional<std::string_view> revoked;  // an access key id
};

// nullopt: another path.
std::optional<Place> PlaceOf(std::string_view path, bool demo) {
  Place out;
  out.demo = path == kDemoPath;
  if (out.demo) return demo ? std::optional(out) : std::nullopt;
  if (!path.starts_with(kTenantsPath)) return std::nullopt;
  path.remove_prefix(kTenantsPath.size());
  out.tenant = path.substr(0, path.find('/'));
  path.remove_prefix(out.tenant.size());
  if (!path.starts_with(kKeysPart)) return std::nullopt;
  path.remove_prefix(kKeysPart.size());
  if (path.empty()) return out;
  if (!path.ends_with(kRevokePart)) return std::nullopt;
  path.remove_suffix(kRevokePart.size());
  if (path.empty() || path.front() != '/') return std::nullopt;
  out.revoked = path.substr(1);
  return out.revoked->find('/') == std::string_view::npos ? std::optional(out) : std::nullopt;
}

// Only the tenant's own back end may; another tenant's keys are not there.
protocol::Result<threads::Caller> ServiceOf(const Place& place, const TableKeyRoutes::WhoAsks& who) {
  const auto tenant = protocol::TenantId::FromText(place.tenant);
  if (!tenant) return Error::BadField("tenantId", "is not a valid id");
  if (place.demo) return threads::Caller{*tenant, std::nullopt, threads::Role::kService};
  PARLEY_TRY(caller, who());
  if (!caller.is_service()) return Error(ErrorCode::kForbidden, "only a service manages table keys");
  if (caller.tenant != *tenant) return Error(ErrorCode::kNotFound, "no such tenant");
  return caller;
}

// Answers on the loop, from whatever thread the store answers.
template <class T, class Say>
std::function<void(protocol::Result<T>)> OnLoop(Lane& lane, TableKeyRoutes::Respond respond, Say say) {
  return [&loop = lane.loop(), respond = std::move(respond), say](protocol::Result<T> result) {
    loop.Post([respond, say, result = std::move(result)] {
      if (!result.ok()) return respond(result.error());
      respond(say(*result));
    });
  };
}

void Make(Lane& lane, const HttpRequest& request, const Place& place, const TableKeyRoutes::WhoAsks& who,
          TableKeyRoutes::Respond respond) {
  Node& node = lane.node();
  auto wish = ReadWish(request, node.config());
  if (!wish.ok()) return respond(wish.error());
  const auto caller = ServiceOf(place, who);
  if (!caller.ok()) return respond(caller.error());
  node.table_keys().Make(caller->tenant, *std::move(wish), node.clock().Now(),
                         OnLoop<TableKeys::Made>(lane, std::move(respond), [](const TableKeys::Made& made) {
                           MadeTableKey out{made.key->id, {}};
                           if (!made.secret.empty()) out.secret.value = made.secret;
                           return Answer(201, out);
                         }));
}

void Revoke(Lane& lane, const HttpRequest& request, const Place& place, const TableKeyRoutes::WhoAsks& who,
            TableKeyRoutes::Respond respond) {
  Node& node = lane.node();
  const auto args = ReadBody<NoArgs>(request, node.config());
  if (!args.ok()) return respond(args.error());
  const auto id = accounts::AccessKeyId::FromText(*place.revoked);
  if (!id) return respond(Error::BadField("accessKeyId", "is not a valid id"));
  const auto caller = ServiceOf(place, who);
  if (!caller.ok()) return respond(caller.error());
  node.table_keys().Revoke(caller->tenant, *id,
                           OnLoop<TableKeyPtr>(lane, std::move(respond), [](const TableKeyPtr& key) {
                             return Answer(200, Listed(*key));
                           }));
}

protocol::Result<HttpResponse> List(Lane& lane, const HttpRequest& request, const Place& place,
                                    const TableKeyRoutes::WhoAsks& who) {
  PARLEY_TRY(args, ReadPageArgs(request));
  PARLEY_TRY(caller, ServiceOf(place, who));
  const threads::CursorCodec& cursors = lane.node().cursors();
  std::string after;
  if (!args.cursor.empty()) {
    auto position = cursors.Open(caller, kListQuery, args.cursor);
    if (!position) return Error::BadField("cursor", "is not a cursor of this list");
    after = *std::move(position);
  }
  TableKeyPage page;
  for (const TableKeyPtr& key : lane.node().table_keys().List(caller.tenant)) {
    const std::string position = PositionOf(*key);
    if (position <= after) continue;
    if (page.items.items.size() == args.limit) {
      page.cursor = cursors.Seal(caller, kListQuery, after);
      break;
    }
    page.items.items.push_back(Listed(*key));
    after = position;
  }
  return Answer(200, page);
}

}  // namespace

bool TableKeyRoutes::Handle(const HttpRequest& request, std::string_view path, const WhoAsks& who,
                            Respond respond) {
  const auto place = PlaceOf(path, lane_.node().config().demo);
  if (!place) return false;
  const bool post = request.method == "POST";
  const bool get = request.method == "GET" || request.method == "HEAD";
  const bool lists = !place->demo && !place->revoked;
  if (!post && !(get && lists)) {
    respond(HttpResponse{405, {{"Allow", lists ? "GET, HEAD, POST" : "POST"}}, ""});
  } else if (get) {
    respond(List(lane_, request, *place, who));
  } else if (lane_.node().draining()) {
    respond(Error(ErrorCode::kUnavailable, "the server is draining"));
  } else if (place->revoked) {
    Revoke(lane_, request, *place, who, std::move(respond));
  } else {
    Make(lane_, request, *place, who, std::move(respond));
  }
  return true;
}

}  // namespace parley::gateway
