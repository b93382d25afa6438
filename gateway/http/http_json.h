// Reads JSON bodies of HTTP requests. Any thread.
#pragma once

#include <cstddef>
#include <string>

#include "gateway/net/transport.h"
#include "protocol/base/result.h"
#include "protocol/value.h"

namespace parley::gateway {

// Reads the body as a map; an empty body is an empty map.
protocol::Result<protocol::Document> JsonBody(const HttpRequest& request, size_t max_bytes);

}  // namespace parley::gateway
