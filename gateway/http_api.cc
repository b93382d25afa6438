#include "gateway/http_api.h"

#include "gateway/demo_guard.h"
#include "gateway/http_json.h"
#include "gateway/http_limits.h"
#include "gateway/router.h"
#include "protocol/frame.h"

namespace parley::gateway {
namespace {

using protocol::Error;
using protocol::ErrorCode;

constexpr std::string_view kOpsPath = "/v1/ops/";
constexpr int64_t kDemoTtlSeconds = 3600;
constexpr int64_t kDemoTtlSecondsMax = 30 * 24 * 3600;

HttpResponse PlainText(int status, std::string body) {
  return {status,
          {{"Content-Type", "text/plain; charset=utf-8"}, {"Cache-Control", "no-store"}},
          std::move(body)};
}

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
    field("attrs", &T::attrs, "what the token says of the user: names with true, false, numbers or texts");
  }
};

// As claims that a token may carry.
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
      return Error::BadField("attrs", "is no claim that a token carries");
    accounts::AttrValue& attr = (*out)[std::string(name)];
    if (text) attr = std::string(*text);
    if (value.as_bool()) attr = *value.as_bool();
    if (value.as_int()) attr = *value.as_int();
  }
  return protocol::Ok();
}

// Idempotency-Key is another way to pass clientId. The key must outlive the document, which points into it.
protocol::Status ApplyIdempotencyKey(const std::string& key, protocol::Document* document) {
  protocol::Map& args = *document->root.as_map();
  std::erase_if(args,
                [](const auto& member) { return member.first == "clientId" && member.second.is_null(); });
  if (const protocol::Value* given = document->root.Find("clientId")) {
    if (given->as_text() && *given->as_text() == key) return protocol::Ok();
    return Error::BadRequest("Idempotency-Key and clientId differ");
  }
  args.emplace_back("clientId", protocol::Value(std::string_view(key)));
  return protocol::Ok();
}

}  // namespace

HttpApi::HttpApi(Lane& lane, const StaticFiles& files)
    : lane_(lane),
      node_(lane.node()),
      clock_(node_.clock()),
      config_(node_.config()),
      files_(files),
      table_keys_(lane),
      dynamodb_(lane),
      requests_(node_.metrics().AddCounter("parley_http_requests_total", "Plain HTTP requests")) {}

void HttpApi::Handle(std::shared_ptr<HttpExchange> exchange) {
  requests_.Add();
  const HttpRequest& request = exchange->request();
  if (config_.demo && !IsFromThisMachine(request))
    return Fail(exchange, Error(ErrorCode::kForbidden, "a demo is for its own machine"));
  const std::string path = request.target.substr(0, request.target.find('?'));
  const bool get = request.method == "GET" || request.method == "HEAD";
  const bool post = request.method == "POST";
  if (DynamoApi::Serves(request, path)) return dynamodb_.Handle(std::move(exchange));
  if (get && path == "/healthz") return exchange->Respond(PlainText(200, "ok\n"));
  if (get && path == "/readyz") {
    const std::string why = node_.NotReady();
    return exchange->Respond(why.empty() ? PlainText(200, "ready\n" + node_.Remarks())
                                         : PlainText(503, why + "\n"));
  }
  if (get && path == "/metrics") {
    HttpResponse response = PlainText(200, node_.metrics().Render());
    response.headers[0].second = "text/plain; version=0.0.4; charset=utf-8";
    return exchange->Respond(std::move(response));
  }
  if (path.starts_with(kOpsPath)) {
    if (!post) return exchange->Respond({405, {{"Allow", "POST"}}, ""});
    return Op(exchange, path.substr(kOpsPath.size()));
  }
  if (path == "/v1/demo/token" && config_.demo) {
    if (!post) return exchange->Respond({405, {{"Allow", "POST"}}, ""});
    return DemoToken(exchange);
  }
  const auto answer_table_key = [this, exchange](protocol::Result<HttpResponse> answer) {
    if (!answer.ok()) return Fail(exchange, answer.error());
    exchange->Respond(*std::move(answer));
  };
  if (table_keys_.Handle(
          request, path, [&] { return CallerOf(request); }, answer_table_key))
    return;
  if (path == "/v1/ws")
    return exchange->Respond({426, {{"Upgrade", "websocket"}, {"Sec-WebSocket-Version", "13"}}, ""});
  HttpResponse file;
  if (get && files_.Find(path, &file)) return exchange->Respond(std::move(file));
  Fail(exchange, Error(ErrorCode::kNotFound, "no such path"));
}

HttpResponse HttpApi::Refusal(HttpResponse plain) {
  while (!plain.body.empty() && plain.body.back() == '\n') plain.body.pop_back();
  const ErrorCode code = plain.status == 413   ? ErrorCode::kTooLarge
                         : plain.status == 503 ? ErrorCode::kUnavailable
                                               : ErrorCode::kBadRequest;
  HttpResponse response = ErrorResponse(Error(code, plain.body));
  response.status = plain.status;
  response.headers.insert(response.headers.end(), plain.headers.begin(), plain.headers.end());
  return response;
}

void HttpApi::Fail(const std::shared_ptr<HttpExchange>& exchange, const Error& error) {
  exchange->Respond(ErrorResponse(error));
}

HttpResponse HttpApi::ErrorResponse(const Error& error) {
  const std::string corr_id = node_.errors().Note(error);
  protocol::Writer w;
  w.BeginMap(1);
  w.Text("error");
  w.Raw(protocol::ErrorMap(error, corr_id));
  HttpResponse response =
      JsonAnswer(protocol::Describe(error.code).http_status, protocol::MsgpackToJson(w.bytes()));
  if (response.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (error.retry_after_ms)
    response.headers.emplace_back("Retry-After", std::to_string((*error.retry_after_ms + 999) / 1000));
  AddRateHeaders(error, clock_.Now(), &response);
  return response;
}

protocol::Result<threads::Caller> HttpApi::CallerOf(const HttpRequest& request) const {
  PARLEY_TRY(identity, IdentityOf(request));
  return std::move(identity.caller);
}

protocol::Result<Identity> HttpApi::IdentityOf(const HttpRequest& request) const {
  const std::string* header = request.Header("Authorization");
  const auto credential = header ? Authenticator::Bearer(*header) : std::nullopt;
  if (!credential) return Error(ErrorCode::kUnauthenticated, "Authorization: Bearer … is required");
  RateLimits& limits = node_.rate_limits();
  if (const auto may_try = limits.MayTry(request.address); !may_try.allowed)
    return accounts::RateLimited(may_try);
  auto known = node_.authenticator().Authenticate(*credential);
  if (!known.ok()) {
    limits.NoteFailure(request.address, known.error());
    return std::move(known.error());
  }
  Identity& identity = *known;
  if (const std::string* user = request.Header("Parley-User")) {
    if (!identity.caller.is_service()) return Error(ErrorCode::kForbidden, "only a service acts as a user");
    identity.caller.user = protocol::UserId::FromText(*user);
    if (!identity.caller.user) return Error::BadField("Parley-User", "is not a valid id");
  }
  return identity;
}

void HttpApi::Op(const std::shared_ptr<HttpExchange>& exchange, const std::string& op) {
  const HttpRequest& request = exchange->request();
  const OpInfo* info = FindOp(op);
  if (!info) return Fail(exchange, Error(ErrorCode::kUnknownOp, "no such op"));
  if (info->kind == protocol::OpKind::kSession)
    return Fail(exchange, Error::BadRequest("this op needs a WebSocket session"));
  auto body = JsonBody(request, static_cast<size_t>(config_.max_frame_bytes));
  if (!body.ok()) return Fail(exchange, body.error());
  const std::string* key = request.Header("Idempotency-Key");
  if (key && info->takes_client_id) {
    if (auto applied = ApplyIdempotencyKey(*key, &*body); !applied.ok())
      return Fail(exchange, applied.error());
  }
  // Malformed requests are reported before the caller is identified.
  if (auto sound = CheckArgs(op, body->root); !sound.ok()) return Fail(exchange, sound.error());
  auto identity = IdentityOf(request);
  if (!identity.ok()) return Fail(exchange, identity.error());
  if (node_.draining()) return Fail(exchange, Error(ErrorCode::kUnavailable, "the server is draining"));
  CallOp(exchange, op, *info, *identity, body->root);
}

void HttpApi::CallOp(const std::shared_ptr<HttpExchange>& exchange, std::string_view op, const OpInfo& info,
                     const Identity& identity, const protocol::Value& args) {
  RateLimits& limits = node_.rate_limits();
  const threads::Caller& caller = identity.caller;
  const bool is_charged = !IsCatchingUp(op) && limits.Charges(caller.tenant);
  if (!is_charged) return Route(lane_, op, caller, args, Answering(exchange, {}));
  const accounts::Requester requester = limits.RequesterOf(identity);
  const accounts::Verdict verdict = limits.Take(requester, caller.tenant, op);
  Done done = [&limits, requester, tenant = caller.tenant, is_send = op == protocol::MessageSend::kName,
               answering = Answering(exchange, verdict)](Answer answer) {
    if (is_send) limits.NoteAnswer(requester, tenant, protocol::MessageSend::kName, answer);
    answering(std::move(answer));
  };
  if (verdict.allowed) return Route(lane_, op, caller, args, std::move(done));
  // A repeat is answered before any limit.
  const bool may_repeat = info.kind == protocol::OpKind::kWrite && info.takes_client_id;
  if (!may_repeat) return Fail(exchange, accounts::RateLimited(verdict));
  RouteRepeat(lane_, op, caller, args, accounts::RateLimited(verdict), std::move(done));
}

Done HttpApi::Answering(const std::shared_ptr<HttpExchange>& exchange, const accounts::Verdict& verdict) {
  return [this, exchange, verdict](Answer answer) {
    HttpResponse response =
        answer.ok() ? JsonAnswer(200, protocol::MsgpackToJson(*answer)) : ErrorResponse(answer.error());
    if (answer.ok() || answer.error().rate_limit == 0) AddRateHeaders(verdict, clock_.Now(), &response);
    exchange->Respond(std::move(response));
  };
}

void HttpApi::DemoToken(const std::shared_ptr<HttpExchange>& exchange) {
  auto body = JsonBody(exchange->request(), static_cast<size_t>(config_.max_frame_bytes));
  if (!body.ok()) return Fail(exchange, body.error());
  DemoTokenArgs args;
  if (auto bound = protocol::Bind(body->root, &args); !bound.ok()) return Fail(exchange, bound.error());
  const accounts::Tenant& tenant = *node_.tenants().Find(accounts::kDemoTenant);
  std::string token = tenant.service_key;
  const threads::Role role = args.role.value_or(threads::Role::kMember);
  if (role != threads::Role::kService) {
    accounts::Claims claims;
    claims.sub = args.user_id.value;
    claims.tid = tenant.id.value;
    claims.role = protocol::NameOf(role);
    claims.exp_s = clock_.Now().ms / 1000 + (args.ttl_seconds ? args.ttl_seconds->value : kDemoTtlSeconds);
    if (args.attrs) {
      if (auto read = ReadAttrs(*args.attrs, &claims.attrs); !read.ok()) return Fail(exchange, read.error());
    }
    token = accounts::SignHs256(claims, tenant.signing_secret);
    if (token.size() > accounts::kTokenBytesMax)
      return Fail(exchange, Error::BadField("attrs", "is more than a token may hold"));
  }
  protocol::Writer w;
  w.BeginMap(1);
  w.Text("token");
  w.Text(token);
  exchange->Respond(JsonAnswer(200, protocol::MsgpackToJson(w.bytes())));
}

}  // namespace parley::gateway
