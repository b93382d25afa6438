// From a request to its route: finding it, checking what was sent, finding out who asks, and answering.
//
// Thread contract: the I/O thread's loop.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/http/route.h"

namespace parley::gateway {

class Dispatch {
 public:
  using Refuse = std::function<HttpResponse(const protocol::Error&)>;  // an error as it is answered

  Dispatch(IoThread& io, Refuse refuse);

  // False: no route has this path, or it is answered elsewhere. Otherwise the exchange is answered, now or
  // later.
  bool Handle(const std::shared_ptr<HttpExchange>& exchange, std::string_view path);
  // The methods of a path: "GET, HEAD, POST"; empty: no route has it.
  static std::string MethodsOf(std::string_view path);
  // Its template: "/v1/tenants/{tenantId}"; empty: no route has it.
  static std::string RouteOf(std::string_view path);
  // The largest body that a request of this method and path may have; 0: the usual one. Small where no
  // credential is needed.
  static size_t BodyLimit(std::string_view method, std::string_view path);

 private:
  void Run(const std::shared_ptr<HttpExchange>& exchange, const HttpRoute& route, const protocol::Value& args,
           std::string tenant);
  void RunCharged(const std::shared_ptr<Call>& call, const HttpRoute::Run& run);

  IoThread& io_;
  const Refuse refuse_;
};

}  // namespace parley::gateway
