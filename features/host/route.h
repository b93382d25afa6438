// Describes HTTP routes as data: name, callers, arguments and answer. The checks of a request, its dispatch
// and its part of the OpenAPI document are derived from the route, so none can drift from the
// others.
//
// A route's arguments are one struct with Fields(): fields named in the path come from the path, the others
// from the query (GET, DELETE) or from the body. All arguments are checked before the caller is
// authenticated.
//
// Thread contract: the host's thread; `then` is called there, once, now or later.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accounts/permissions/resource.h"
#include "features/host/host.h"
#include "features/host/identity.h"
#include "protocol/base/http.h"
#include "protocol/json_schema.h"
#include "protocol/schema.h"

namespace parley::features {

enum class Method : uint8_t { kGet, kPost, kPut, kPatch, kDelete };

// Bits: the callers of a route. The handler checks further rights of a user.
enum Who : uint8_t { kAnyone = 1, kUsers = 2, kServices = 4, kOperator = 8 };
inline constexpr uint8_t kBackEnd = kServices | kOperator;
inline constexpr uint8_t kEverybody = kUsers | kServices | kOperator;

// One request while it is handled.
struct Call {
  Host& host;
  std::shared_ptr<protocol::HttpExchange> exchange;
  std::string_view route;  // the route's id
  Identity who = {};       // empty on routes for kAnyone
  std::string credential = {};

  const protocol::TenantId& tenant() const { return who.caller.tenant; }
  bool is_back_end() const { return who.is_operator || who.caller.is_service(); }
};

// Returns the caller as permissions judge them. Not on routes for kAnyone.
accounts::Actor ActorOf(const Call& call);

template <class Reply>
using Answering = std::function<void(protocol::Result<Reply>)>;

struct NoContent {
  static constexpr void Fields(auto&) {}
};
struct NoArgs {
  static constexpr void Fields(auto&) {}
};

// An answer that is already JSON, since it may contain numbers that frames cannot carry. T describes it.
template <class T>
struct JsonReply {
  std::string json;
};

// Media types of answers.
inline constexpr std::string_view kMediaJson = "application/json";
inline constexpr std::string_view kMediaText = "text/plain";
inline constexpr std::string_view kMediaHtml = "text/html";
inline constexpr std::string_view kMediaTables = "application/x-amz-json-1.0";  // also of requests

struct HttpRoute {
  Method method = Method::kGet;
  std::string_view path;   // "/v1/tenants/{tenantId}/keys"
  std::string_view id;     // "listTenantKeys"
  std::string_view about;  // one sentence
  uint8_t who = kEverybody;
  int status = 200;
  // A header of requests or of answers, for the documents.
  struct HeaderDoc {
    std::string_view name, about;
    bool required = false;
  };
  struct Traits {
    bool looks = false;                // callable while the tenant is suspended
    bool administers = false;          // callable before the tenant is active
    bool of_no_tenant = false;         // needs no tenant: for the operator or anyone
    bool for_readers = false;          // callers with read-only access may call it, although it is not a GET
    bool secret = false;               // the answer contains a secret and is not compressed
    std::string_view body_field = {};  // this argument is the whole body, unparsed
    std::string_view credential = {};  // if this argument is given, it is the only credential
    size_t body_bytes_max = 0;         // 0: the limit of frames
    bool any_query = false;            // ignores the query: probes and pages append all sorts
    std::string_view media = kMediaJson;  // the answer's type; empty: no body
    int otherwise = 0;                    // another status of the route; 0: none
    // Headers of every answer, and of the answer to OPTIONS; nullptr: none.
    protocol::HttpHeaders (*headers)() = nullptr;
    protocol::HttpHeaders (*options)() = nullptr;
    std::span<const HeaderDoc> takes = {}, gives = {};  // its own headers of requests, and of answers
  } traits;

  enum class FieldType : uint8_t { kText, kInteger, kBoolean };
  struct Field {
    std::string_view name;
    FieldType type;
    bool required;
    std::string_view about;
    protocol::NamedSchemas::Make schema;
  };
  using Respond = std::function<void(protocol::Result<protocol::HttpResponse>)>;
  std::vector<Field> (*fields)();
  protocol::NamedSchemas::Make reply_schema;  // returns "" if the answer has no body
  // Binds the arguments. The Run that it returns is called once the caller is known. Null if other code
  // answers.
  using Run = std::function<void(const Call&, Respond)>;
  protocol::Result<Run> (*bind)(const HttpRoute&, const protocol::Value& args) = nullptr;
  // For a body that is received in pieces: binds the arguments of the path and the query to a function that
  // makes its receiver. It identifies the caller itself. Null: the body is whole.
  using Receive = std::function<std::unique_ptr<protocol::BodyReceiver>(const Call&, Respond)>;
  protocol::Result<Receive> (*bind_pieces)(const HttpRoute&, const protocol::Value& args) = nullptr;
};

protocol::HttpResponse JsonAnswer(int status, std::string body);

namespace route_internal {

template <class T>
struct Bare {
  using type = T;
};
template <class T>
struct Bare<std::optional<T>> {
  using type = T;
};
template <class T>
struct Bare<protocol::Omit<T>> {
  using type = T;
};
template <class T>
struct Bare<protocol::Clearable<T>> {
  using type = std::optional<T>;
};

template <class Args>
std::vector<HttpRoute::Field> FieldsOf() {
  std::vector<HttpRoute::Field> out;
  auto add = [&]<class C, class M>(std::string_view name, M C::*, std::string_view about) {
    using T = typename Bare<M>::type;
    auto type = HttpRoute::FieldType::kText;
    if (protocol::schema_internal::IsBounded<T>::value || std::is_same_v<T, int64_t>)
      type = HttpRoute::FieldType::kInteger;
    if (std::is_same_v<T, bool>) type = HttpRoute::FieldType::kBoolean;
    out.push_back({name, type, std::is_same_v<T, M>, about, &protocol::JsonSchema<T>});
  };
  Args::Fields(add);
  return out;
}

template <class Reply>
struct ReplyOf {
  static std::string Schema(protocol::NamedSchemas* named) { return protocol::JsonSchema<Reply>(named); }
  static std::string Json(const Reply& reply) { return protocol::MsgpackToJson(protocol::Encode(reply)); }
};
template <class T>
struct ReplyOf<JsonReply<T>> {
  static std::string Schema(protocol::NamedSchemas* named) { return protocol::JsonSchema<T>(named); }
  static const std::string& Json(const JsonReply<T>& reply) { return reply.json; }
};

// True for a handler that makes the whole HTTP answer itself.
template <class Reply>
inline constexpr bool kIsWhole = std::is_same_v<Reply, protocol::HttpResponse>;

template <class Reply>
std::string ReplySchema(protocol::NamedSchemas* named) {
  if constexpr (std::is_same_v<Reply, NoContent> || kIsWhole<Reply>) {
    return {};
  } else {
    return ReplyOf<Reply>::Schema(named);
  }
}

template <class Reply>
protocol::HttpResponse AnswerWith(const HttpRoute& route, const Reply& reply) {
  if constexpr (std::is_same_v<Reply, NoContent>) {
    return protocol::HttpResponse{204, {{"Cache-Control", "no-store"}}, ""};
  } else if constexpr (kIsWhole<Reply>) {
    return reply;
  } else {
    protocol::HttpResponse answer = JsonAnswer(route.status, ReplyOf<Reply>::Json(reply));
    answer.compressible = !route.traits.secret;
    return answer;
  }
}

template <class OwnCall, class Args, class Reply, void (*kHandle)(const OwnCall&, Args, Answering<Reply>)>
protocol::Result<HttpRoute::Run> BindTo(const HttpRoute& route, const protocol::Value& value) {
  Args args;
  PARLEY_CHECK_OK(protocol::Bind(value, &args));
  return HttpRoute::Run(
      [&route, args = std::move(args)](const Call& call, const HttpRoute::Respond& respond) {
        kHandle(static_cast<const OwnCall&>(call), args, [&route, respond](protocol::Result<Reply> reply) {
          if (!reply.ok()) return respond(std::move(reply.error()));
          respond(AnswerWith(route, *reply));
        });
      });
}

// Makes a route with its description, but without a handler.
template <class Args, class Reply>
HttpRoute Described(Method method, std::string_view path, std::string_view id, uint8_t who,
                    std::string_view about, HttpRoute::Traits traits) {
  HttpRoute route;
  route.method = method;
  route.path = path;
  route.id = id;
  route.about = about;
  route.who = who;
  route.traits = traits;
  route.fields = &FieldsOf<Args>;
  route.reply_schema = &ReplySchema<Reply>;
  return route;
}

}  // namespace route_internal

// OwnCall: Call, or the type derived from it that a level above makes of every request.
template <class OwnCall, class Args, class Reply, void (*kHandle)(const OwnCall&, Args, Answering<Reply>)>
HttpRoute RouteWith(Method method, std::string_view path, std::string_view id, uint8_t who, int status,
                    std::string_view about, HttpRoute::Traits traits) {
  namespace in = route_internal;
  HttpRoute route = in::Described<Args, Reply>(method, path, id, who, about, traits);
  route.status = status;
  route.bind = &in::BindTo<OwnCall, Args, Reply, kHandle>;
  return route;
}

template <class Args, class Reply, void (*kHandle)(const Call&, Args, Answering<Reply>)>
HttpRoute RouteTo(Method method, std::string_view path, std::string_view id, uint8_t who, int status,
                  std::string_view about, HttpRoute::Traits traits = {}) {
  return RouteWith<Call, Args, Reply, kHandle>(method, path, id, who, status, about, traits);
}

// Makes a route whose body arrives in pieces. `kReceive` pauses the body until it can take it.
template <class Args,
          std::unique_ptr<protocol::BodyReceiver> (*kReceive)(const Call&, Args, HttpRoute::Respond)>
HttpRoute RouteInPieces(Method method, std::string_view path, std::string_view id, std::string_view about,
                        HttpRoute::Traits traits) {
  HttpRoute route =
      route_internal::Described<Args, protocol::HttpResponse>(method, path, id, kAnyone, about, traits);
  route.bind_pieces = [](const HttpRoute&,
                         const protocol::Value& value) -> protocol::Result<HttpRoute::Receive> {
    Args args;
    PARLEY_CHECK_OK(protocol::Bind(value, &args));
    return HttpRoute::Receive([args = std::move(args)](const Call& call, HttpRoute::Respond respond) {
      return kReceive(call, args, std::move(respond));
    });
  };
  return route;
}

// Makes a route that other code answers; it is listed for the documents, OPTIONS and the access log.
inline HttpRoute Elsewhere(Method method, std::string_view path, std::string_view id, std::string_view about,
                           HttpRoute::Traits traits) {
  return route_internal::Described<NoArgs, NoContent>(method, path, id, kAnyone, about, traits);
}

std::string_view NameOf(Method method);

}  // namespace parley::features
