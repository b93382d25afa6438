// Answers plain HTTP requests, on the same port as sockets: health, metrics, every op that needs no session,
// the routes of http/, the tables, the web client. Thread contract: the loop's thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gateway/app/config.h"
#include "gateway/app/io_thread.h"
#include "gateway/app/node.h"
#include "gateway/dynamodb/dynamo_api.h"
#include "gateway/http/dispatch.h"
#include "gateway/http/static_files.h"
#include "gateway/net/transport.h"
#include "gateway/ops/router.h"
#include "protocol/base/clock.h"

namespace parley::gateway {

class HttpApi {
 public:
  HttpApi(IoThread& io, const StaticFiles& files);
  void Handle(std::shared_ptr<HttpExchange> exchange);
  // For requests whose bodies are received in pieces; see TransportHandler.
  static bool TakesPieces(const HttpRequestHead& head);
  std::unique_ptr<BodyReceiver> Receive(std::shared_ptr<HttpExchange> exchange);
  // Judges the credential of a request that announces a large body, before the body is read. `then` receives
  // a refusal, or nullopt. The caller's rights are judged later, with the body.
  void JudgeLargeBody(const HttpRequest& request, std::function<void(std::optional<HttpResponse>)> then);
  // Converts a refusal that has only a status and a text, such as the transport's, to the form of our errors.
  HttpResponse Refusal(HttpResponse plain);
  HttpResponse Refuse(const protocol::Error& error) { return ErrorResponse(error); }

 private:
  // A request of an op; its answer is metered.
  struct OpAsked {
    std::shared_ptr<HttpExchange> exchange;
    OpMeter::Mark mark;
    threads::TracePtr trace = {};
  };
  void Op(const std::shared_ptr<HttpExchange>& exchange, const std::string& op);
  void RunOp(OpAsked asked, const std::string& op, const Identity& identity,
             const std::shared_ptr<const protocol::Document>& body);
  // Answers with the op's result and the caller's remaining rate limit.
  Done Answering(const OpAsked& asked, const accounts::Verdict& verdict);
  size_t BodyMax(const HttpRequest& request, std::string_view path) const;
  void Fail(const std::shared_ptr<HttpExchange>& exchange, const protocol::Error& error);
  void Fail(const OpAsked& asked, const protocol::Error& error);
  // `given_id`: the request's corrId, if it already has one.
  HttpResponse ErrorResponse(const protocol::Error& error, std::string given_id = {});
  threads::TracePtr BeginTrace(const OpAsked& asked, const threads::Caller& caller,
                               const protocol::Value& args);
  static void LogAnswered(const OpAsked& asked, const Answer& answer);

  IoThread& io_;
  Node& node_;
  const protocol::Clock& clock_;
  const Config& config_;
  const StaticFiles& files_;
  Dispatch dispatch_;
  DynamoApi dynamodb_;
  protocol::Counter requests_;
};

}  // namespace parley::gateway
