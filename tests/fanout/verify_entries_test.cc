// What verify says of keys that were used again, and of what an inbox row shows.
#include <gmock/gmock.h>

#include "fanout/inbox_rows.h"
#include "fanout/keys.h"
#include "fanout/verify/verify.h"
#include "tests/fanout/fanout_scene.h"

namespace parley::fanout {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

const TenantId kTenant{"demo"};

class VerifyEntries : public testing::Test {
 protected:
  void Given(std::string_view lines) { ASSERT_EQ(scene.Run(lines), "ok"); }
  std::vector<std::string> Verify() {
    scene.worker->SaveCursors();
    std::vector<std::string> out;
    VerifyReport report;
    const auto differs = [&](const std::string& what) { out.push_back(what); };
    EXPECT_TRUE(VerifyStore(*scene.core.table, scene.core.clock.Now(), differs, &report).ok());
    EXPECT_EQ(report.pending, 0u);
    return out;
  }

  FanoutScene scene;
};

TEST_F(VerifyEntries, says_nothing_of_a_key_that_was_used_again_once_it_was_free) {
  Given("buyer thread.create clientId=c firstMessage=hi; buyer message.send clientId=c body=x");
  scene.core.clock.Advance(int64_t{48} * 3600 * 1000);
  Given("buyer message.send clientId=c body=x");
  EXPECT_THAT(Verify(), IsEmpty());
}

}  // namespace
}  // namespace parley::fanout
