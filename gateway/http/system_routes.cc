// Routes outside of administration: probes, metrics, the API documents, the socket, the tables, the web
// client. Other code answers the routes made by Elsewhere; they are listed for the documents, OPTIONS and the
// access log.
#include "gateway/http/openapi.h"
#include "gateway/http/route.h"
#include "protocol/base/reason.h"

namespace parley::gateway {
namespace {

using protocol::Error;
using protocol::Reason;

HttpResponse PlainText(int status, std::string body, std::string_view media = kMediaText) {
  return {status,
          {{"Content-Type", std::string(media) + "; charset=utf-8"}, {"Cache-Control", "no-store"}},
          std::move(body)};
}

void Live(const Call&, NoArgs, Answering<HttpResponse> then) {
  then(PlainText(200, "ok\n"));
}

// Recognizes the operator by the operators' own listener if there is one, else by the key.
bool IsFromOperator(const Call& call) {
  const HttpRequest& request = call.exchange->request();
  if (!call.node().config().admin_listen.empty()) return request.admin;
  const auto knock = KnockOf(call.node().config(), request);
  if (!knock.ok()) return false;
  const auto is_operator = call.node().authenticator().IsOperator(*knock);
  return is_operator.ok() && *is_operator;
}

void Ready(const Call& call, NoArgs, Answering<HttpResponse> then) {
  const bool names = IsFromOperator(call);
  const std::string why = call.node().NotReady(names);
  if (why.empty()) return then(PlainText(200, "ready\n" + call.node().Remarks(names)));
  then(PlainText(503, why + "\n"));
}

// Serves metrics only at the operators' own listener, if there is one.
void ReadMetrics(const Call& call, NoArgs, Answering<HttpResponse> then) {
  if (IsPublic(call.node().config(), call.exchange->request()))
    return then(ErrorFor(protocol::Reason::kNoPath, "no such path"));
  then(PlainText(200, call.node().RenderMetrics(), "text/plain; version=0.0.4"));
}

void ReadManual(const Call&, NoArgs, Answering<HttpResponse> then) {
  then(OpenApiAnswer());
}

void ReadProtocol(const Call&, NoArgs, Answering<HttpResponse> then) {
  then(AsyncApiAnswer());
}

// HttpApi rejects requests without the upgrade before it looks for a route.
HttpRoute SocketRoute(const HttpRoute::Traits& traits) {
  HttpRoute route =
      Elsewhere(Method::kGet, "/v1/ws", "openSocket",
                "Opens a WebSocket with subprotocol parley.v1.json or parley.v1.msgpack; its frames "
                "are described by /v1/asyncapi.json.",
                traits);
  route.status = 101;
  return route;
}

}  // namespace

std::vector<HttpRoute> SystemRoutes() {
  using enum Method;
  const auto plain = [](std::string_view media, int otherwise) {
    return HttpRoute::Traits{.of_no_tenant = true, .any_query = true, .media = media, .otherwise = otherwise};
  };
  const HttpRoute::Traits tables{.of_no_tenant = true, .any_query = true, .media = kMediaTables};
  return {
      RouteTo<NoArgs, HttpResponse, Live>(kGet, "/healthz", "isAlive", kAnyone, 200,
                                          "Reports that the process runs.", plain(kMediaText, 0)),
      RouteTo<NoArgs, HttpResponse, Ready>(kGet, "/readyz", "isReady", kAnyone, 200,
                                           "Reports whether the server accepts traffic, or why not, and "
                                           "remarks, one a line; the operator sees more.",
                                           plain(kMediaText, 503)),
      RouteTo<NoArgs, HttpResponse, ReadMetrics>(
          kGet, "/metrics", "readMetrics", kAnyone, 200,
          "Metrics for Prometheus; only at the operators' own listener, if there is one.",
          plain(kMediaText, 404)),
      RouteTo<NoArgs, HttpResponse, ReadManual>(kGet, "/v1/openapi.json", "readManual", kAnyone, 200,
                                                "This document.", plain(kMediaJson, 0)),
      RouteTo<NoArgs, HttpResponse, ReadProtocol>(kGet, "/v1/asyncapi.json", "readProtocol", kAnyone, 200,
                                                  "The protocol of the socket, as an AsyncAPI document.",
                                                  plain(kMediaJson, 0)),
      SocketRoute(plain({}, 426)),
      Elsewhere(kPost, "/v1/dynamodb", "callTables", "The tables, in the wire protocol of Amazon DynamoDB.",
                tables),
      Elsewhere(kPost, "/", "callTablesAtRoot", "The same, at the path that SDKs expect.", tables),
      Elsewhere(kGet, "/", "openWebClient", "The web client and its files, if it is served.",
                plain(kMediaHtml, 404)),
  };
}

}  // namespace parley::gateway
