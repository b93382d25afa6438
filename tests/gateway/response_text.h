// Reads responses of the HTTP API.
#pragma once

#include <string>
#include <string_view>

#include "gateway/net/transport.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {

inline Frame Body(const gateway::HttpResponse& response) {
  return Frame(protocol::Encoding::kJson, response.body);
}

// "404 NOT_FOUND", or the status alone.
inline std::string Verdict(const gateway::HttpResponse& response) {
  const std::string code = response.status < 300 ? "" : Body(response).error();
  return std::to_string(response.status) + (code.empty() ? "" : " " + code);
}

// Returns "" if it is missing.
inline std::string HeaderOf(const gateway::HttpResponse& response, std::string_view name) {
  for (const auto& [known, value] : response.headers) {
    if (known == name) return value;
  }
  return "";
}

}  // namespace parley::gateway_test
