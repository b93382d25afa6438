// Makes the OpenAPI 3.1 document from the routes and ops. It is served at /v1/openapi.json; `parleyd
// --openapi` prints it, and the build writes it to build/release/docs/openapi.json.
#pragma once

#include <string>

#include "gateway/net/http.h"

namespace parley::gateway {

std::string OpenApiDocument();  // indented JSON
// Return this document and that of the socket as answers, made and compressed on the first call. Any thread.
const HttpResponse& OpenApiAnswer();
const HttpResponse& AsyncApiAnswer();

}  // namespace parley::gateway
