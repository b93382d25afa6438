#include "gateway/app/origin.h"

namespace parley::gateway {

// Our own pages come from the host that the request names. The scheme is ignored: behind a proxy it is
// unknown, and the same host serves both.
std::string ForeignOrigin(const HttpRequest& request) {
  const std::string* origin = request.Header("Origin");
  if (!origin || origin->empty()) return {};
  const std::string* host = request.Header("Host");
  if (host && (*origin == "https://" + *host || *origin == "http://" + *host)) return {};
  return *origin;
}

}  // namespace parley::gateway
