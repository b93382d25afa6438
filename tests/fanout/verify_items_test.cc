// Tests that verify covers tables beside threads.
#include <gmock/gmock.h>

#include "fanout/verify/verify.h"
#include "storage/engine/item_keys.h"
#include "tests/fanout/fanout_scene.h"

namespace parley::fanout {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(VerifyItems, finds_faults_in_tables_too) {
  FanoutScene scene;
  const auto verify = [&] {
    std::vector<std::string> out;
    VerifyReport report;
    const auto differs = [&](const std::string& what) { out.push_back(what); };
    EXPECT_TRUE(VerifyStore(*scene.core.table, scene.core.clock.Now(), {}, differs, &report).ok());
    EXPECT_EQ(report.differences, out.size());
    return out;
  };
  EXPECT_THAT(verify(), IsEmpty());
  storage::CommitRequest planted;
  planted.partition = storage::DefinitionPartition();
  planted.writes.push_back({storage::DefinitionKey(TenantId{"demo"}, "Bad"), storage::Row{1, "?"}});
  std::vector<storage::CommitResult> results;
  ASSERT_TRUE(scene.core.table->Commit({&planted, 1}, &results).ok());
  EXPECT_THAT(verify(), ElementsAre("demo: Bad: the definition cannot be read"));
}

}  // namespace
}  // namespace parley::fanout
