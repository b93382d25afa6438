// The report's judgement of figures: goals, stretch goals, and impossible values.
#include "bench/report/report.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/report/machine.h"

namespace parley::bench {
namespace {

Finding Found(const char* id, double value, double base) {
  Finding finding;
  finding.id = id;
  finding.value = value;
  finding.base = base;
  finding.ratio = value / base;
  finding.goal = GoalOf(id);
  return finding;
}

TEST(Report, judges_costs_and_rates_by_their_goals) {
  EXPECT_EQ(Judge(Found("P3", 1.4, 1)), Verdict::kStretch);
  EXPECT_EQ(Judge(Found("P3", 2.0, 1)), Verdict::kAsk);
  EXPECT_EQ(Judge(Found("P3", 2.1, 1)), Verdict::kBelow);
  EXPECT_EQ(Judge(Found("P1", 0.9, 1)), Verdict::kStretch);
  EXPECT_EQ(Judge(Found("P1", 0.71, 1)), Verdict::kAsk);
  EXPECT_EQ(Judge(Found("P1", 0.69, 1)), Verdict::kBelow);
}

TEST(Report, does_not_score_an_acknowledgement_faster_than_its_sync) {
  Report report;
  report.Add(Found("P3", 0.10, 1));
  EXPECT_EQ(Judge(report.findings()[0]), Verdict::kImpossible);
  EXPECT_NE(Doubt(report.findings()[0]).find("faster than the sync"), std::string::npos);
  EXPECT_FALSE(report.passed()) << "nothing was scored";
  report.Add(Found("P1", 0.8, 1));
  EXPECT_TRUE(report.passed()) << "what is marked counts neither way";
  report.Add(Found("P1", 0.1, 1));
  EXPECT_FALSE(report.passed());
}

TEST(Report, allows_a_rate_the_noise_above_its_limit_and_no_more) {
  EXPECT_EQ(Judge(Found("P1", 1.05, 1)), Verdict::kStretch);
  EXPECT_EQ(Judge(Found("P1", 1.2, 1)), Verdict::kImpossible);
  EXPECT_EQ(Judge(Found("P2", 3, 1)), Verdict::kStretch) << "several writers are no limit";
}

TEST(Report, marks_an_empty_sample) {
  EXPECT_EQ(Judge(Found("P20", 0, 1)), Verdict::kImpossible);
  EXPECT_EQ(Judge(Found("P20", 1, 0)), Verdict::kImpossible);
  EXPECT_TRUE(std::isnan(Median({1, 0.0 / 0.0, 2})));
  Finding finding = Found("P20", 1, 1);
  finding.ratio = std::nan("");
  EXPECT_EQ(Judge(finding), Verdict::kImpossible);
}

TEST(Report, fails_a_run_that_lost_something_whatever_the_ratio) {
  Finding finding = Found("P1", 0.9, 1);
  finding.objection = "1 deliveries were lost";
  EXPECT_EQ(Judge(finding), Verdict::kInvalid);
  finding.ratio = 5;
  EXPECT_EQ(Judge(finding), Verdict::kInvalid);
}

TEST(Report, names_the_machine) {
  std::string names;
  for (const auto& [name, value] : DescribeMachine(testing::TempDir())) {
    names += name + " ";
    EXPECT_FALSE(value.empty()) << name;
    EXPECT_EQ(value.find(" 0.000 ms"), value.npos) << value;
  }
  EXPECT_EQ(names, "date commit machine memory kernel disk load ");
}

}  // namespace
}  // namespace parley::bench
