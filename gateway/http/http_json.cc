#include "gateway/http/http_json.h"

#include "protocol/frame.h"

namespace parley::gateway {

using protocol::Error;

protocol::Result<protocol::Document> JsonBody(const HttpRequest& request, size_t max_bytes) {
  protocol::Document document;
  document.root = protocol::Value(protocol::Map{});
  if (request.body.empty()) return document;
  protocol::DecodeLimits limits;
  limits.max_bytes = max_bytes;
  limits.nul = false;
  if (const char* why = protocol::DecodeJson(request.body, limits, &document)) {
    return Error::BadRequest(std::string("the body is not usable JSON: ") + why);
  }
  if (!document.root.as_map()) return Error::BadRequest("the body must be a JSON object");
  return document;
}

}  // namespace parley::gateway
