// Dispatches a request to its route: finds the route, checks the arguments, authenticates the caller and
// answers.
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
  using Refuse = std::function<HttpResponse(const protocol::Error&)>;  // the answer for an error

  Dispatch(IoThread& io, Refuse refuse);

  // Returns false if no route has this path or other code answers it. Otherwise the exchange is answered, now
  // or later.
  bool Handle(const std::shared_ptr<HttpExchange>& exchange, std::string_view path);
  // Whether the request's body is received in pieces.
  static bool TakesPieces(std::string_view method, std::string_view path);
  // Returns the receiver of such a request, or null if it was answered. REQUIRES: TakesPieces.
  std::unique_ptr<BodyReceiver> Receive(const std::shared_ptr<HttpExchange>& exchange, std::string_view path);
  // Returns the headers of the path's own in an answer to OPTIONS.
  static HttpHeaders OptionsOf(std::string_view path);
  // Returns the methods of a path, such as "GET, HEAD, POST", or "" if no route has it.
  static std::string MethodsOf(std::string_view path);
  // Returns the template of a path, such as "/v1/tenants/{tenantId}", or "" if no route has it.
  static std::string RouteOf(std::string_view path);
  // Returns the largest body that a request of this method and path may have; 0 means the usual limit. The
  // limit is small for routes that need no credential.
  static size_t BodyLimit(std::string_view method, std::string_view path);

 private:
  void Run(const std::shared_ptr<HttpExchange>& exchange, const HttpRoute& route, const protocol::Value& args,
           std::string tenant);
  void RunCharged(const std::shared_ptr<Call>& call, const HttpRoute::Run& run,
                  const HttpRoute::Respond& respond);
  HttpRoute::Respond Responding(std::shared_ptr<HttpExchange> exchange, const HttpRoute& route) const;

  IoThread& io_;
  const Refuse refuse_;
};

}  // namespace parley::gateway
