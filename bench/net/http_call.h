// One blocking HTTP/1.1 request per connection: tokens and metrics, before and after a measurement.
#pragma once

#include <netinet/in.h>

#include <optional>
#include <string>

namespace parley::bench {

// The body of a 200 or 201; nothing for every other answer.
std::optional<std::string> HttpGet(const sockaddr_in& address, const std::string& path);
std::optional<std::string> HttpPost(const sockaddr_in& address, const std::string& path,
                                    const std::string& json, const std::string& bearer = {});

// A metric's value summed over its labels; nothing if there is no such metric.
std::optional<double> FindMetric(const std::string& exposition, const std::string& name);

}  // namespace parley::bench
