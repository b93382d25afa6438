#include "features/files/store_health.h"

#include <gtest/gtest.h>

namespace parley::features {
namespace {

using std::chrono::milliseconds;

class Health : public testing::Test {
 protected:
  StoreHealth::Clock::time_point now{};
  protocol::Metrics metrics;
  StoreHealth health{metrics, [this] { return now; }};
};

TEST_F(Health, allows_retries_while_the_store_answers) {
  EXPECT_GT(health.AttemptsNow(), 1);
  health.NoteAnswer();
  EXPECT_EQ(health.Remark(), "");
}

TEST_F(Health, allows_one_question_per_pause_while_it_does_not) {
  health.NoteSilence();
  EXPECT_NE(health.Remark(), "");
  EXPECT_EQ(health.AttemptsNow(), 0);
  now += StoreHealth::kFirstPause;
  EXPECT_EQ(health.AttemptsNow(), 1);
  EXPECT_EQ(health.AttemptsNow(), 0) << "others do not wait for it";
  health.NoteSilence();
  now += StoreHealth::kFirstPause;
  EXPECT_EQ(health.AttemptsNow(), 0) << "the pause is longer";
  for (int i = 0; i < 10; ++i) health.NoteSilence();
  now += StoreHealth::kLongestPause;
  EXPECT_EQ(health.AttemptsNow(), 1);
}

TEST_F(Health, returns_with_the_first_answer) {
  health.NoteSilence();
  health.NoteAnswer();
  EXPECT_EQ(health.Remark(), "");
  EXPECT_GT(health.AttemptsNow(), 1);
}

TEST_F(Health, remarks_on_refusals_and_goes_on_asking) {
  health.NoteRefusal();
  EXPECT_NE(health.Remark().find("refuses"), std::string::npos);
  EXPECT_GT(health.AttemptsNow(), 1);
  EXPECT_NE(metrics.Render().find("parley_file_store_unreachable 1"), std::string::npos);
  health.NoteAnswer();
  EXPECT_EQ(health.Remark(), "");
}

}  // namespace
}  // namespace parley::features
