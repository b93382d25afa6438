// Issues tokens of the demo tenant to anyone, under --demo only, which listens on loopback only. Without
// --demo these paths answer 404 (HttpApi::Handle).
#include "accounts/jwt.h"
#include "accounts/tenants/demo.h"
#include "gateway/http/route.h"
#include "protocol/base/reason.h"
#include "threads/model/rows.h"

namespace parley::gateway {
namespace {

using protocol::Error;

constexpr int64_t kDemoTtlSeconds = 3600;
constexpr int64_t kDemoTtlSecondsMax = 30 * 24 * 3600;

struct DemoTokenArgs {
  protocol::UserId user_id;
  std::optional<threads::Role> role;
  std::optional<protocol::Bounded<1, kDemoTtlSecondsMax>> ttl_seconds;
  std::optional<protocol::Json> attrs;
  static constexpr void Fields(auto& field) {
    using T = DemoTokenArgs;
    field("userId", &T::user_id, "any user of tenant demo");
    field("role", &T::role, "member if not given");
    field("ttlSeconds", &T::ttl_seconds, "an hour if not given");
    field("attrs", &T::attrs, "the user's attributes in the token: names with booleans, numbers or strings");
  }
};

// Reads the attributes as claims that a token may carry.
protocol::Status ReadAttrs(const protocol::Json& given, std::map<std::string, accounts::AttrValue>* out) {
  protocol::Document attrs;
  if (!threads::DecodeStored(given.msgpack, &attrs) || !attrs.root.as_map())
    return Error::BadField("attrs", "must be a map");
  if (attrs.root.as_map()->size() > accounts::kTokenAttrsMax)
    return Error::BadField("attrs", "has too many elements");
  for (const auto& [name, value] : *attrs.root.as_map()) {
    const std::string_view* text = value.as_text();
    const bool fits =
        text ? text->size() <= accounts::kTokenStringBytesMax : value.as_bool() || value.as_int();
    if (!protocol::IsTenantChosenId(name) || !fits)
      return Error::BadField("attrs", "must be claims that a token can carry");
    accounts::AttrValue& attr = (*out)[std::string(name)];
    if (text) attr = std::string(*text);
    if (value.as_bool()) attr = *value.as_bool();
    if (value.as_int()) attr = *value.as_int();
  }
  return protocol::Ok();
}

struct DemoTokenReply {
  std::string token;
  static constexpr void Fields(auto& field) {
    field("token", &DemoTokenReply::token, "a token, or a tenant key");
  }
};

void MakeToken(const Call& call, DemoTokenArgs args, Answering<DemoTokenReply> then) {
  Node& node = call.node();
  const threads::Role role = args.role.value_or(threads::Role::kMember);
  if (role == threads::Role::kService)
    return then(DemoTokenReply{accounts::DemoServiceKey(node.table().identity().secret)});
  const accounts::TenantPtr tenant = node.tenants().Find(accounts::kDemoTenant);
  accounts::Claims claims;
  claims.sub = args.user_id.ToText();
  claims.tid = tenant->id.ToText();
  claims.role = protocol::NameOf(role);
  claims.exp_s =
      node.clock().Now().ms / 1000 + (args.ttl_seconds ? args.ttl_seconds->value : kDemoTtlSeconds);
  if (args.attrs) {
    if (auto read = ReadAttrs(*args.attrs, &claims.attrs); !read.ok()) return then(std::move(read.error()));
  }
  std::string token = accounts::SignHs256(claims, tenant->signing_secret, accounts::kOwnKid);
  if (token.size() > accounts::kTokenBytesMax)
    return then(Error::BadField("attrs", "does not fit into a token"));
  then(DemoTokenReply{std::move(token)});
}

}  // namespace

std::vector<HttpRoute> DemoRoutes() {
  return {RouteTo<DemoTokenArgs, DemoTokenReply, MakeToken>(
      Method::kPost, "/v1/demo/token", "createDemoToken", kAnyone, 200,
      "A token for any user of the demo tenant; role service returns the demo's tenant key.",
      {.of_no_tenant = true, .secret = true})};
}

}  // namespace parley::gateway
