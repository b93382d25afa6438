// HTTP on the same port: health, metrics, every op that is not bound to a session, demo tokens, table
// keys, the web client. Thread contract: the loop's thread.
#pragma once

#include <memory>
#include <string>

#include "gateway/config.h"
#include "gateway/dynamodb/dynamo_api.h"
#include "gateway/lane.h"
#include "gateway/net/transport.h"
#include "gateway/node.h"
#include "gateway/router.h"
#include "gateway/static_files.h"
#include "gateway/table_key_routes.h"
#include "protocol/base/clock.h"

namespace parley::gateway {

class HttpApi {
 public:
  HttpApi(Lane& lane, const StaticFiles& files);
  void Handle(std::shared_ptr<HttpExchange> exchange);
  // A refusal by the transport, in the form of our errors.
  HttpResponse Refusal(HttpResponse plain);

 private:
  void Op(const std::shared_ptr<HttpExchange>& exchange, const std::string& op);
  void CallOp(const std::shared_ptr<HttpExchange>& exchange, std::string_view op, const OpInfo& info,
              const Identity& identity, const protocol::Value& args);
  // Answers with what the op came to, and with how much the caller may still ask.
  Done Answering(const std::shared_ptr<HttpExchange>& exchange, const accounts::Verdict& verdict);
  protocol::Result<Identity> IdentityOf(const HttpRequest& request) const;
  protocol::Result<threads::Caller> CallerOf(const HttpRequest& request) const;
  void DemoToken(const std::shared_ptr<HttpExchange>& exchange);
  void Fail(const std::shared_ptr<HttpExchange>& exchange, const protocol::Error& error);
  HttpResponse ErrorResponse(const protocol::Error& error);

  Lane& lane_;
  Node& node_;
  const protocol::Clock& clock_;
  const Config& config_;
  const StaticFiles& files_;
  TableKeyRoutes table_keys_;
  DynamoApi dynamodb_;
  protocol::Counter requests_;
};

}  // namespace parley::gateway
