// The manual of HTTP for machines: an OpenAPI 3.1 document, made of the routes and ops themselves. Served at
// /v1/openapi.json; `parleyd --openapi` prints it as docs/openapi.json, and a test compares the two.
#pragma once

#include <string>

namespace parley::gateway {

std::string OpenApiDocument();  // JSON, indented

}  // namespace parley::gateway
