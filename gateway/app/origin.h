// Whose page a request comes from (RFC 6454 §7; Fetch, "Origin header"). Pure, any thread.
#pragma once

#include <string>

#include "gateway/net/transport.h"

namespace parley::gateway {

// The request's Origin, if it is that of a page other than the server's own; else empty.
std::string ForeignOrigin(const HttpRequest& request);

}  // namespace parley::gateway
