#include "bench/measure/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace parley::bench {
namespace {

TEST(Histogram, a_percentile_is_within_a_thousandth_of_the_exact_one) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> spread(13, 2.5);  // microseconds to seconds
  Histogram histogram;
  std::vector<int64_t> exact;
  for (int i = 0; i < 200'000; ++i) {
    const auto ns = static_cast<int64_t>(spread(random));
    histogram.Record(ns);
    exact.push_back(ns);
  }
  std::sort(exact.begin(), exact.end());
  for (const double percent : {1.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0}) {
    const auto rank =
        static_cast<size_t>(std::ceil(percent / 100 * static_cast<double>(exact.size()) - 1e-6));
    const auto wanted = static_cast<double>(exact[rank - 1]);
    EXPECT_NEAR(static_cast<double>(histogram.Percentile(percent)), wanted, wanted / 1000 + 1) << percent;
  }
  EXPECT_EQ(histogram.max(), exact.back());
}

TEST(Histogram, small_values_are_exact_and_bounds_hold) {
  Histogram histogram;
  EXPECT_EQ(histogram.Percentile(99), 0);
  for (int64_t ns = 0; ns < 2048; ++ns) histogram.Record(ns);
  EXPECT_EQ(histogram.Percentile(50), 1023);
  histogram.Record(-5);
  histogram.Record(int64_t{1} << 60);
  EXPECT_EQ(histogram.count(), 2050u);
  EXPECT_GE(histogram.Percentile(100), (int64_t{1} << 42) - 1);
}

TEST(Histogram, adding_two_equals_recording_both) {
  Histogram all, even, odd;
  for (int64_t ns = 1; ns < 3'000'000; ns += 997) {
    all.Record(ns);
    (ns % 2 ? odd : even).Record(ns);
  }
  even.Add(odd);
  for (const double percent : {10.0, 50.0, 99.0})
    EXPECT_EQ(even.Percentile(percent), all.Percentile(percent));
}

}  // namespace
}  // namespace parley::bench
