// The manual of HTTP for machines: an OpenAPI 3.1 document, made of the routes and ops themselves. Served at
// /v1/openapi.json; `parleyd --openapi` prints it as docs/openapi.json, and a test compares the two.
#pragma once

#include <string>

#include "gateway/net/http.h"

namespace parley::gateway {

std::string OpenApiDocument();  // JSON, indented
// The same as an answer, made and compressed on the first call; any thread.
const HttpResponse& OpenApiAnswer();

}  // namespace parley::gateway
