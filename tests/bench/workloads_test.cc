// Workloads with tiny parameters against the real server complete without errors. The figures are not
// checked.
#include <gtest/gtest.h>

#include "bench/workloads/workload.h"

namespace parley::bench {
namespace {

class SmallWorkload : public testing::Test {
 protected:
  SmallWorkload() {
    context_.parleyd = PARLEYD;
    context_.scratch = testing::TempDir();
    context_.rounds = 1;
    context_.seconds = 0.5;
    context_.messages = 2'000;
    context_.threads = 30;
    context_.all_threads = 200;
    context_.mixed_rate = 50;
    context_.mixed_rooms = 3;
    context_.report = &report_;
  }
  void ExpectSound(const char* id) {
    ASSERT_FALSE(report_.findings().empty());
    for (const Finding& finding : report_.findings()) {
      EXPECT_EQ(finding.id, id);
      EXPECT_EQ(finding.objection, "");
      EXPECT_GT(finding.value, 0);
      EXPECT_GT(finding.base, 0);
    }
  }
  Context context_;
  Report report_;
};

TEST_F(SmallWorkload, mixed_measures_acknowledgements_beside_active_users) {
  RunMixed(context_);
  ExpectSound("MIX");
  ASSERT_EQ(report_.findings().size(), 1u);
  EXPECT_NE(report_.findings()[0].note.find("50 sends/s in 3 rooms"), std::string::npos);
}

}  // namespace
}  // namespace parley::bench
