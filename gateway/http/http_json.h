// Makes JSON answers and reads JSON bodies for the HTTP routes. Any thread.
#pragma once

#include <cstddef>
#include <string>

#include "gateway/net/transport.h"
#include "protocol/base/result.h"
#include "protocol/value.h"

namespace parley::gateway {

HttpResponse JsonAnswer(int status, std::string body);
// Reads the body as a map; an empty body is an empty map.
protocol::Result<protocol::Document> JsonBody(const HttpRequest& request, size_t max_bytes);

}  // namespace parley::gateway
