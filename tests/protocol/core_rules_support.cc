// The rules of the compact form for the core's ops.
#include "protocol/ops/all.h"
#include "protocol/ops/compact_replies.h"
#include "tests/protocol/filled_support.h"

namespace parley::tests {

std::string CompactRulesText() {
  return protocol::CompactRules(protocol::ReplyShapesOf(protocol::CoreOps{}));
}

}  // namespace parley::tests
