// The manual of HTTP for machines: an OpenAPI 3.1 document, made of the routes and ops themselves. Served at
// /v1/openapi.json; `parleyd --openapi` prints it, and the build writes it to
// build/release/docs/openapi.json.
#pragma once

#include <string>

#include "gateway/net/http.h"

namespace parley::gateway {

std::string OpenApiDocument();  // JSON, indented
// This document and that of the socket as answers, made and compressed on the first call; any thread.
const HttpResponse& OpenApiAnswer();
const HttpResponse& AsyncApiAnswer();

}  // namespace parley::gateway
