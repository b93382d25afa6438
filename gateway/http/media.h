// Bodies in the forms that clients send them: the media types that are read as JSON, and gzip.
//
// Thread contract: the I/O thread's loop.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "gateway/net/http.h"

namespace parley::gateway {

// Whether a body of this Content-Type (null: it has none) is read as JSON: JSON of any kind, and the type
// that `curl -d` sends unless told otherwise.
bool IsReadAsJson(const std::string* content_type);

// Makes the body of `exchange`'s request readable as JSON: one in gzip is replaced by what it holds, at most
// `bytes_max`. Otherwise returns a refusal with a status and a text: 415 for another Content-Type or
// Content-Encoding, 413, 400 for damaged gzip. Requests without a body pass.
std::optional<HttpResponse> MakeReadable(size_t bytes_max, std::shared_ptr<HttpExchange>* exchange);

}  // namespace parley::gateway
