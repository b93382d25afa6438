// Finds the origin of the web page that sent a request (RFC 6454 §7; Fetch, "Origin header"). Pure, any
// thread.
#pragma once

#include <string>

#include "gateway/net/transport.h"

namespace parley::gateway {

// Returns the request's Origin if it is not the server's own, else "".
std::string ForeignOrigin(const HttpRequest& request);

}  // namespace parley::gateway
