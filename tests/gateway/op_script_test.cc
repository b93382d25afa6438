// No input stops the server: it answers thousands of hostile ops or refuses them with a code, and verify
// finds nothing afterwards.
#include <gtest/gtest.h>

#include "tests/gateway/op_script_support.h"

namespace parley::gateway_test {
namespace {

class OpScript : public testing::TestWithParam<uint64_t> {};

TEST_P(OpScript, every_request_is_answered_and_the_store_verifies) {
  SeededChoices choices(GetParam());
  const OpScriptReport report = RunOpScript(choices, 400);
  for (const std::string& complaint : report.complaints) ADD_FAILURE() << complaint;
  EXPECT_GT(report.ok, 40u) << "hardly anything passes: the scripts do not get deep";
  EXPECT_GT(report.refused, 100u);
  EXPECT_GT(report.nul_refused, 0u);
}
INSTANTIATE_TEST_SUITE_P(seeds, OpScript, testing::Range<uint64_t>(1, 13));

}  // namespace
}  // namespace parley::gateway_test
