// Waits for the response to one HTTP/1.1 request on its own connection: tokens and metrics, before and after
// a measurement.
#pragma once

#include <optional>
#include <string>

#include "bench/net/origin.h"

namespace parley::bench {

struct HttpAnswer {
  int status = 0;  // 0: no response, and the body has the reason
  std::string body;
};
HttpAnswer CallHttp(const Origin& origin, const std::string& request);  // all bytes of the request
HttpAnswer ReadHttp(const Origin& origin, const std::string& path);
HttpAnswer AskHttp(const Origin& origin, const std::string& path, const std::string& json,
                   const std::string& bearer);

// Returns the body of a 200 or 201, and nullopt for every other response.
std::optional<std::string> HttpGet(const Origin& origin, const std::string& path);
std::optional<std::string> HttpPost(const Origin& origin, const std::string& path, const std::string& json,
                                    const std::string& bearer = {});

// Returns a metric's value summed over its labels, or nullopt if it is unknown.
std::optional<double> FindMetric(const std::string& exposition, const std::string& name);

}  // namespace parley::bench
