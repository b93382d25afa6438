// A request under way, which its handler owns. It may outlive the connection; its answer is then dropped.
//
// Threads: the loop's.
#pragma once

#include <memory>
#include <string>

#include "gateway/net/http_connection.h"
#include "gateway/net/http_reader.h"

namespace parley::gateway {

class Exchange final : public HttpExchange {
 public:
  Exchange(std::weak_ptr<HttpConnection> connection, HttpRequest request, BodyShare share)
      : connection_(std::move(connection)), share_(std::move(share)), request_(std::move(request)) {}
  ~Exchange() override {
    const auto connection = answered_ ? nullptr : connection_.lock();
    if (connection) connection->RespondRefusal(500);
  }
  const HttpRequest& request() const override { return request_; }
  void Respond(HttpResponse response) override {
    if (std::exchange(answered_, true)) return;
    if (const auto connection = connection_.lock()) connection->Respond(std::move(response));
  }
  void PauseBody(bool pause) override {
    if (const auto connection = connection_.lock(); connection && !answered_) connection->PauseBody(pause);
  }

 private:
  const std::weak_ptr<HttpConnection> connection_;
  const BodyShare share_;
  const HttpRequest request_;
  bool answered_ = false;
};

}  // namespace parley::gateway
