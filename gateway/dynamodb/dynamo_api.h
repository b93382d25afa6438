// Serves the DynamoDB API: from a signed POST to its operation, and the answer back. The caller is
// authenticated before the body is parsed.
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
  // Returns true if the request is for this API: POST /v1/dynamodb, or POST / with a target of Amazon's form.
  static bool Serves(const HttpRequest& request, std::string_view path);
  void Handle(std::shared_ptr<HttpExchange> exchange);  // REQUIRES: a POST
  // Judges the credential of a large request before its body is read; returns a refusal if it is bad.
  std::optional<HttpResponse> JudgeHead(const HttpRequest& request);

 private:
  IoThread& io_;
  TableAuthenticator authenticator_;
  protocol::Counter requests_, refused_;
};

}  // namespace parley::gateway
