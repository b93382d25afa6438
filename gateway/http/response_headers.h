// Adds to every answer of a route its name for the access log, and the headers by which browsers let pages of
// other origins read it (Fetch, "CORS protocol"). The transport adds the headers common to all answers.
//
// Thread contract: the I/O thread's loop.
#pragma once

#include <memory>
#include <string>

#include "gateway/app/node.h"
#include "gateway/net/http.h"

namespace parley::gateway {

// Wraps an exchange so that its answer gets these headers. `route` is the template, never the path itself. A
// page of an origin that some tenant allows may read the answer, unless the answer refuses the page.
std::shared_ptr<HttpExchange> WithResponseHeaders(const Node& node, std::shared_ptr<HttpExchange> exchange,
                                                  std::string route);

// Does the same for the answer to a request that was not dispatched.
void AddResponseHeaders(const Node& node, const HttpRequest& request, const std::string& route,
                        HttpResponse* response);

// Answers OPTIONS for a path that supports `methods`. A preflight names no tenant, so it is granted to the
// origins that any tenant allows.
HttpResponse OptionsAnswer(const Node& node, const HttpRequest& request, const std::string& methods,
                           HttpHeaders own = {});

}  // namespace parley::gateway
