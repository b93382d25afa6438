// Accepts bodies in the forms that clients send: several media types that are read as JSON, and gzip.
//
// Thread contract: the I/O thread's loop.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "gateway/net/http.h"

namespace parley::gateway {

// Returns true if a body of this Content-Type (null if absent) is read as JSON: any JSON type, and the type
// that `curl -d` sends by default.
bool IsReadAsJson(const std::string* content_type);

// Replaces a gzip body of `exchange`'s request by its content of at most `bytes_max`. Returns a refusal with
// a status and a text if the body cannot be read as JSON: 415 for another Content-Type or Content-Encoding,
// 413 if too large, 400 for damaged gzip. Requests without a body pass.
std::optional<HttpResponse> MakeReadable(size_t bytes_max, std::shared_ptr<HttpExchange>* exchange);

}  // namespace parley::gateway
