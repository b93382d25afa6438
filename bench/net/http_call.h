// One blocking HTTP/1.1 request per connection: tokens and metrics, before and after a measurement.
#pragma once

#include <optional>
#include <string>

#include "bench/net/origin.h"

namespace parley::bench {

struct HttpAnswer {
  int status = 0;  // 0: there was none, and the body says why
  std::string body;
};
HttpAnswer ReadHttp(const Origin& origin, const std::string& path);
HttpAnswer AskHttp(const Origin& origin, const std::string& path, const std::string& json,
                   const std::string& bearer);

// The body of a 200 or 201; nothing for every other answer.
std::optional<std::string> HttpGet(const Origin& origin, const std::string& path);
std::optional<std::string> HttpPost(const Origin& origin, const std::string& path, const std::string& json,
                                    const std::string& bearer = {});

// A metric's value summed over its labels; nothing if there is no such metric.
std::optional<double> FindMetric(const std::string& exposition, const std::string& name);

}  // namespace parley::bench
