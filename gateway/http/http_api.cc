#include "gateway/http/http_api.h"

#include <algorithm>

#include "accounts/sigv4_canonical.h"
#include "gateway/app/origin.h"
#include "gateway/http/http_json.h"
#include "gateway/http/http_limits.h"
#include "gateway/http/media.h"
#include "gateway/http/openapi.h"
#include "gateway/http/response_headers.h"
#include "gateway/net/demo_guard.h"
#include "gateway/ops/router.h"
#include "protocol/base/reason.h"
#include "protocol/frame.h"

namespace parley::gateway {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;

constexpr std::string_view kOpsPath = "/v1/ops/";
constexpr std::string_view kSocketPath = "/v1/ws";
constexpr std::string_view kDemoPath = "/v1/demo/";

// Returns the tenant that an operator names by ?tenant=.
std::string TenantAskedFor(const HttpRequest& request) {
  const auto parameters = accounts::ParseQuery(accounts::QueryOf(request.target));
  if (!parameters) return {};
  for (const auto& [name, value] : *parameters) {
    if (name == "tenant") return value;
  }
  return {};
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

// Returns the request's name in the access log.
std::string RouteName(const std::string& path) {
  if (path.starts_with(kOpsPath)) {
    const OpInfo* op = FindOp(path.substr(kOpsPath.size()));
    return op ? path : std::string(kOpsPath) + "{op}";
  }
  const std::string route = Dispatch::RouteOf(path);
  return route.empty() ? "file" : route;
}

std::string MethodsOf(const std::string& path) {
  if (path.starts_with(kOpsPath)) return "POST";
  const std::string methods = Dispatch::MethodsOf(path);
  return methods.empty() ? "GET, HEAD" : methods;
}

// Maps a status to an error code, for refusals that have only a status.
ErrorCode CodeOf(int status) {
  switch (status) {
    case 401:
      return ErrorCode::kUnauthenticated;
    case 403:
      return ErrorCode::kForbidden;
    case 404:
      return ErrorCode::kNotFound;
    case 413:
      return ErrorCode::kTooLarge;
    case 429:
      return ErrorCode::kRateLimited;
    case 500:
      return ErrorCode::kInternal;
    case 503:
      return ErrorCode::kUnavailable;
    default:
      return ErrorCode::kBadRequest;
  }
}

}  // namespace

HttpApi::HttpApi(IoThread& io, const StaticFiles& files)
    : io_(io),
      node_(io.node()),
      clock_(node_.clock()),
      config_(node_.config()),
      files_(files),
      dispatch_(io, [this](const Error& error) { return ErrorResponse(error); }),
      dynamodb_(io),
      requests_(node_.metrics().AddCounter("parley_http_requests_total", "Plain HTTP requests")) {
  OpenApiAnswer();  // made now, so that no request waits for it
  AsyncApiAnswer();
}

void HttpApi::Handle(std::shared_ptr<HttpExchange> exchange) {
  requests_.Add();
  const HttpRequest& request = exchange->request();
  if (config_.demo && !IsFromThisMachine(request))
    return Fail(exchange, ErrorFor(Reason::kDemoElsewhere, "a demo serves only its own machine"));
  const std::string path = request.target.substr(0, request.target.find('?'));
  const bool get = request.method == "GET" || request.method == "HEAD";
  const bool post = request.method == "POST";
  const bool options = request.method == "OPTIONS";
  const bool to_tables = DynamoApi::Serves(request, path);
  if (post && to_tables) return dynamodb_.Handle(std::move(exchange));
  exchange = WithResponseHeaders(node_, std::move(exchange), RouteName(path));
  if (!config_.demo && path.starts_with(kDemoPath))
    return Fail(exchange, ErrorFor(protocol::Reason::kNoPath, "no such path"));
  if (options)
    return exchange->Respond(OptionsAnswer(node_, request, MethodsOf(path), Dispatch::OptionsOf(path)));
  const bool to_op = path.starts_with(kOpsPath);
  if (to_op || to_tables) {
    if (!post) return exchange->Respond(Refusal({405, {{"Allow", "POST"}}, "this path supports only POST"}));
  }
  if (get && path == kSocketPath)
    return exchange->Respond(Refusal({426,
                                      {{"Upgrade", "websocket"}, {"Sec-WebSocket-Version", "13"}},
                                      "this path needs an upgrade to WebSocket version 13"}));
  if (auto fault = MakeReadable(BodyMax(request, path), &exchange))
    return exchange->Respond(Refusal(*std::move(fault)));
  if (to_op) return Op(exchange, path.substr(kOpsPath.size()));
  if (dispatch_.Handle(exchange, path)) return;
  HttpResponse file;
  const std::string* host = request.Header("Host");
  if (get && files_.Find(path, host ? *host : std::string(), &file))
    return exchange->Respond(std::move(file));
  Fail(exchange, ErrorFor(Reason::kNoPath, "no such path"));
}

bool HttpApi::TakesPieces(const HttpRequestHead& head) {
  return Dispatch::TakesPieces(head.method, head.target.substr(0, head.target.find('?')));
}

std::unique_ptr<BodyReceiver> HttpApi::Receive(std::shared_ptr<HttpExchange> exchange) {
  requests_.Add();
  const HttpRequest& request = exchange->request();
  const std::string path = request.target.substr(0, request.target.find('?'));
  if (config_.demo && !IsFromThisMachine(request)) {
    Fail(exchange, ErrorFor(Reason::kDemoElsewhere, "a demo serves only its own machine"));
    return nullptr;
  }
  return dispatch_.Receive(WithResponseHeaders(node_, std::move(exchange), RouteName(path)), path);
}

namespace {

// Returns true if the credential itself is bad. Other errors are reported when the request is judged with its
// body.
bool RefusesCredential(const Error& error) {
  return error.code == ErrorCode::kUnauthenticated || error.code == ErrorCode::kAuthExpired ||
         error.code == ErrorCode::kRateLimited || error.code == ErrorCode::kUnavailable;
}

}  // namespace

void HttpApi::JudgeLargeBody(const HttpRequest& request,
                             std::function<void(std::optional<HttpResponse>)> then) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  if (DynamoApi::Serves(request, path)) return then(dynamodb_.JudgeHead(request));
  if (Dispatch::TakesPieces(request.method, path)) return then(std::nullopt);  // the receiver judges it
  const auto refuse = [this, request, route = RouteName(path), then](const Error& error) {
    HttpResponse refusal = ErrorResponse(error);
    AddResponseHeaders(node_, request, route, &refusal);
    then(std::move(refusal));
  };
  if (!request.Header("Authorization") && request.Header("Transfer-Encoding"))
    return then(std::nullopt);  // treated as small
  auto knock = KnockOf(config_, request);
  if (!knock.ok()) return refuse(knock.error());
  knock->purpose = accounts::Purpose::kAccess;
  knock->origin = {};  // the answer to the request reports a bad origin
  knock->tenant = TenantAskedFor(request);
  Authenticate(io_, io_.road(), *std::move(knock), [refuse, then](const protocol::Result<Identity>& judged) {
    if (!judged.ok() && RefusesCredential(judged.error())) return refuse(judged.error());
    then(std::nullopt);
  });
}

HttpResponse HttpApi::Refusal(HttpResponse plain) {
  while (!plain.body.empty() && plain.body.back() == '\n') plain.body.pop_back();
  Error error(CodeOf(plain.status), plain.body);
  const auto wait = std::find_if(plain.headers.begin(), plain.headers.end(),
                                 [](const auto& header) { return header.first == "Retry-After"; });
  if (wait != plain.headers.end()) {
    error.retry_after_ms = std::stoll(wait->second) * 1000;
    plain.headers.erase(wait);  // ErrorResponse adds it again
  }
  HttpResponse response = ErrorResponse(error);
  response.status = plain.status;
  response.headers.insert(response.headers.end(), plain.headers.begin(), plain.headers.end());
  return response;
}

size_t HttpApi::BodyMax(const HttpRequest& request, std::string_view path) const {
  const size_t own = Dispatch::BodyLimit(request.method, path);
  return own == 0 ? static_cast<size_t>(config_.max_frame_bytes) : own;
}

void HttpApi::Fail(const std::shared_ptr<HttpExchange>& exchange, const Error& error) {
  exchange->Respond(ErrorResponse(error));
}

void HttpApi::Fail(const OpAsked& asked, const Error& error) {
  io_.ops().http.Note(asked.mark, error.code);
  LogAnswered(asked, error);
  asked.exchange->Respond(ErrorResponse(error, asked.trace ? asked.trace->corr_id : ""));
}

HttpResponse HttpApi::ErrorResponse(const Error& error, std::string given_id) {
  const std::string corr_id = node_.errors().Note(error, {}, std::move(given_id));
  protocol::Writer w;
  w.BeginMap(1);
  w.Text("error");
  w.Raw(protocol::ErrorMap(error, corr_id));
  const int status = error.http_status != 0 ? error.http_status : protocol::Describe(error.code).http_status;
  HttpResponse response = JsonAnswer(status, protocol::MsgpackToJson(w.bytes()));
  response.corr_id = corr_id;
  response.refuses_page = accounts::RefusesPage(error);
  if (response.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (error.retry_after_ms)
    response.headers.emplace_back("Retry-After", std::to_string((*error.retry_after_ms + 999) / 1000));
  AddRateHeaders(error, clock_.Now(), &response);
  return response;
}

void HttpApi::Op(const std::shared_ptr<HttpExchange>& exchange, const std::string& op) {
  const HttpRequest& request = exchange->request();
  const OpInfo* info = FindOp(op);
  const OpAsked asked{exchange, OpMeter::Begin(info ? info->index : OpMeter::kUnknown)};
  if (!info) return Fail(asked, Error(ErrorCode::kUnknownOp, "no such op"));
  if (info->kind == protocol::OpKind::kSession)
    return Fail(asked, Error::BadRequest("this op needs a WebSocket session"));
  auto body = JsonBody(request, static_cast<size_t>(config_.max_frame_bytes));
  if (!body.ok()) return Fail(asked, body.error());
  const std::string* key = request.Header("Idempotency-Key");
  if (key && info->takes_client_id) {
    if (auto applied = ApplyIdempotencyKey(*key, &*body); !applied.ok()) return Fail(asked, applied.error());
  }
  // Malformed requests are reported before the caller is identified.
  if (auto sound = CheckArgs(op, body->root); !sound.ok()) return Fail(asked, sound.error());
  auto knock = KnockOf(config_, request);
  if (!knock.ok()) return Fail(asked, knock.error());
  knock->writes = info->kind == protocol::OpKind::kWrite;
  knock->tenant = TenantAskedFor(request);
  Authenticate(io_, io_.road(), *std::move(knock),
               [this, asked, op, body = std::make_shared<const protocol::Document>(*std::move(body))](
                   protocol::Result<Identity> judged) {
                 if (!judged.ok()) return Fail(asked, judged.error());
                 RunOp(asked, op, *judged, body);
               });
}

void HttpApi::RunOp(OpAsked asked, const std::string& op, const Identity& identity,
                    const std::shared_ptr<const protocol::Document>& body) {
  auto caller = features::ActingAs(asked.exchange->request(), identity.caller);
  if (!caller.ok()) return Fail(asked, caller.error());
  if (node_.tracer().on()) asked.trace = BeginTrace(asked, *caller, body->root);
  if (node_.draining()) return Fail(asked, ErrorFor(Reason::kDraining, "the server is draining"));
  RateLimits& limits = node_.rate_limits();
  const auto charged = limits.Charge(identity, op);
  if (!charged) return Route(io_, op, *caller, body->root, Answering(asked, {}), asked.trace);
  Done done = limits.Charging(*charged, op, Answering(asked, charged->verdict));
  if (charged->verdict.allowed) return Route(io_, op, *caller, body->root, std::move(done), asked.trace);
  // A repeat returns the first answer even if the limit is used up.
  const OpInfo* info = FindOp(op);
  const bool may_repeat = info->kind == protocol::OpKind::kWrite && info->takes_client_id;
  if (!may_repeat) return Fail(asked, accounts::RateLimited(charged->verdict));
  RouteRepeat(io_, op, *caller, body->root, accounts::RateLimited(charged->verdict), std::move(done),
              asked.trace);
}

threads::TracePtr HttpApi::BeginTrace(const OpAsked& asked, const threads::Caller& caller,
                                      const protocol::Value& args) {
  threads::Tracer::Request request;
  request.op = OpName(asked.mark.op);
  request.received = asked.mark.since;
  request.bytes = asked.exchange->request().body.size();
  if (caller.user) request.user = caller.user->ToText();
  const protocol::Value* thread = args.Find("threadId");
  if (thread && thread->as_text()) request.thread = *thread->as_text();
  return node_.tracer().Begin(request, [this] { return node_.errors().NextId(); });
}

void HttpApi::LogAnswered(const OpAsked& asked, const Answer& answer) {
  if (!asked.trace) return;
  threads::LogStep(*asked.trace, "answered",
                   {{"code", answer.ok() ? "OK" : protocol::Describe(answer.error().code).name},
                    {"bytes", answer.ok() ? answer->size() : 0}});
}

Done HttpApi::Answering(const OpAsked& asked, const accounts::Verdict& verdict) {
  return [this, asked, verdict](Answer answer) {
    io_.ops().http.Note(asked.mark, answer.ok() ? std::nullopt : std::optional(answer.error().code));
    LogAnswered(asked, answer);
    HttpResponse response = answer.ok()
                                ? JsonAnswer(200, protocol::MsgpackToJson(*answer))
                                : ErrorResponse(answer.error(), asked.trace ? asked.trace->corr_id : "");
    if (asked.trace) response.corr_id = asked.trace->corr_id;
    if (answer.ok() || answer.error().rate_limit == 0) AddRateHeaders(verdict, clock_.Now(), &response);
    asked.exchange->Respond(std::move(response));
  };
}

}  // namespace parley::gateway
