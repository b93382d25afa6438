#include "gateway/table_key_routes.h"

#include <utility>

#include "accounts/tenants.h"
#include "gateway/node.h"
#include "gateway/table_key_forms.h"

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

size_t BodyMax(const Node& node) {
  return static_cast<size_t>(node.config().max_frame_bytes);
}

void Make(Lane& lane, const HttpRequest& request, const Place& place, const TableKeyRoutes::WhoAsks& who,
          TableKeyRoutes::Respond respond) {
  Node& node = lane.node();
  auto wish = ReadTableKeyWish(request, BodyMax(node));
  if (!wish.ok()) return respond(wish.error());
  const auto caller = ServiceOf(place, who);
  if (!caller.ok()) return respond(caller.error());
  node.table_keys().Make(caller->tenant, *std::move(wish), node.clock().Now(),
                         OnLoop<TableKeys::Made>(lane, std::move(respond), MadeTableKeyAnswer));
}

void Revoke(Lane& lane, const HttpRequest& request, const Place& place, const TableKeyRoutes::WhoAsks& who,
            TableKeyRoutes::Respond respond) {
  Node& node = lane.node();
  const auto sound = ReadNoArgs(request, BodyMax(node));
  if (!sound.ok()) return respond(sound.error());
  const auto id = accounts::AccessKeyId::FromText(*place.revoked);
  if (!id) return respond(Error::BadField("accessKeyId", "is not a valid id"));
  const auto caller = ServiceOf(place, who);
  if (!caller.ok()) return respond(caller.error());
  node.table_keys().Revoke(caller->tenant, *id,
                           OnLoop<TableKeyPtr>(lane, std::move(respond),
                                               [](const TableKeyPtr& key) { return TableKeyAnswer(*key); }));
}

// Where a key is in the list: "time id", both of fixed length.
std::string PositionOf(const TableKey& key) {
  return protocol::FormatTime(key.created_at) + " " + key.id.ToText();
}

protocol::Result<HttpResponse> List(Lane& lane, const HttpRequest& request, const Place& place,
                                    const TableKeyRoutes::WhoAsks& who) {
  PARLEY_TRY(args, ReadTableKeyPageArgs(request));
  PARLEY_TRY(caller, ServiceOf(place, who));
  const threads::CursorCodec& cursors = lane.node().cursors();
  std::string after;
  if (!args.cursor.empty()) {
    auto position = cursors.Open(caller, kListQuery, args.cursor);
    if (!position) return Error::BadField("cursor", "is not a cursor of this list");
    after = *std::move(position);
  }
  auto keys = lane.node().table_keys().List(caller.tenant);
  std::erase_if(keys, [&](const TableKeyPtr& key) { return PositionOf(*key) <= after; });
  if (keys.size() <= args.limit) return TableKeyPageAnswer(keys, std::nullopt);
  keys.resize(args.limit);
  return TableKeyPageAnswer(keys, cursors.Seal(caller, kListQuery, PositionOf(*keys.back())));
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
