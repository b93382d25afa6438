// The rules of the compact form as the AsyncAPI document states them.
#include <nlohmann/json.hpp>

#include "gateway/ops/asyncapi.h"
#include "tests/protocol/filled_support.h"

namespace parley::tests {

std::string CompactRulesText() {
  return nlohmann::json::parse(gateway::AsyncApiDocument())["channels"]["session"]["x-compact"].dump();
}

}  // namespace parley::tests
