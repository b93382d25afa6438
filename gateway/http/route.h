// The gateway's side of HTTP routes (features/host/route.h): a call with its I/O thread, and the list of all
// routes.
//
// Thread contract: the I/O thread's loop.
#pragma once

#include <vector>

#include "features/host/route.h"
#include "gateway/app/authenticator.h"
#include "gateway/app/io_thread.h"
#include "gateway/app/node.h"
#include "gateway/net/transport.h"

namespace parley::gateway {

using features::ActorOf;
using features::Answering;
using features::Elsewhere;
using features::HttpRoute;
using features::JsonAnswer;
using features::JsonReply;
using features::kAnyone;
using features::kBackEnd;
using features::kEverybody;
using features::kMediaHtml;
using features::kMediaJson;
using features::kMediaTables;
using features::kMediaText;
using features::kOperator;
using features::kServices;
using features::kUsers;
using features::Method;
using features::NoArgs;
using features::NoContent;

// Dispatch makes one for every request, those of features included.
struct Call : features::Call {
  IoThread& io;

  Node& node() const { return io.node(); }
};

template <class Args, class Reply, void (*kHandle)(const Call&, Args, Answering<Reply>)>
HttpRoute RouteTo(Method method, std::string_view path, std::string_view id, uint8_t who, int status,
                  std::string_view about, HttpRoute::Traits traits = {}) {
  return features::RouteWith<Call, Args, Reply, kHandle>(method, path, id, who, status, about, traits);
}

// Returns all routes. Pointers to them stay valid.
const std::vector<HttpRoute>& AllRoutes();

// The routes of each domain that is no feature.
std::vector<HttpRoute> TenantRoutes();
std::vector<HttpRoute> SigningKeyRoutes();
std::vector<HttpRoute> TableKeyRoutes();
std::vector<HttpRoute> UserRoutes();
std::vector<HttpRoute> ApiKeyRoutes();
std::vector<HttpRoute> TokenRoutes();
std::vector<HttpRoute> DemoRoutes();
std::vector<HttpRoute> PermissionRoutes();
std::vector<HttpRoute> ClockRoutes();
std::vector<HttpRoute> TraceRoutes();
std::vector<HttpRoute> SystemRoutes();

}  // namespace parley::gateway
