// What every answer of a route has: its name for the access log, and the headers that browsers look for in
// answers to pages of other origins (Fetch, "CORS protocol"). The transport adds what every answer has.
//
// Thread contract: the I/O thread's loop.
#pragma once

#include <memory>
#include <string>

#include "gateway/app/node.h"
#include "gateway/net/http.h"

namespace parley::gateway {

// The exchange, whose answer gets all that. `route`: the template, never the path itself. A page of an origin
// that some tenant allows reads the answer, unless that is a refusal of the page.
std::shared_ptr<HttpExchange> WithResponseHeaders(const Node& node, std::shared_ptr<HttpExchange> exchange,
                                                  std::string route);

// The same for an answer to a request that is not handed over.
void AddResponseHeaders(const Node& node, const HttpRequest& request, const std::string& route,
                        HttpResponse* response);

// The answer to OPTIONS, of a path that takes `methods`. A preflight names no tenant: it is answered for the
// origins that any tenant allows.
HttpResponse OptionsAnswer(const Node& node, const HttpRequest& request, const std::string& methods);

}  // namespace parley::gateway
