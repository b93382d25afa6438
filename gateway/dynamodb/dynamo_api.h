// The DynamoDB API: a request from a signed POST to its operation, and the answer back. Who asks is found
// before the body is read.
//
// Thread contract: the I/O thread's loop.
#pragma once

#include <memory>
#include <optional>

#include "gateway/app/io_thread.h"
#include "gateway/dynamodb/credentials.h"
#include "gateway/dynamodb/errors.h"
#include "gateway/net/transport.h"
#include "protocol/base/metrics.h"

namespace parley::gateway {

class DynamoApi {
 public:
  explicit DynamoApi(IoThread& io);
  // Whether it is for this API: POST /v1/dynamodb, or POST / with a target of Amazon's form.
  static bool Serves(const HttpRequest& request, std::string_view path);
  void Handle(std::shared_ptr<HttpExchange> exchange);  // REQUIRES: a POST
  // Before a large body is taken: a refusal, where the credential is not good.
  std::optional<HttpResponse> JudgeHead(const HttpRequest& request);

 private:
  IoThread& io_;
  TableAuthenticator authenticator_;
  protocol::Counter requests_, refused_;
};

}  // namespace parley::gateway
