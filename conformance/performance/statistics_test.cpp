#include "conformance/performance/statistics.h"

#include <gtest/gtest.h>

#include <random>

namespace reshape::conformance::performance {
namespace {

// Published values: for 6 values min..max covers 96.9 %, for 5 only 93.8 %.
TEST(Statistics, SixValuesAreTheFewestFor95Percent) {
  EXPECT_EQ(fewest_values(0.05), 6);
  EXPECT_FALSE(median_interval({1, 2, 3, 4, 5}, 0.05));
  EXPECT_EQ(median_interval({6, 1, 5, 2, 4, 3}, 0.05), (Interval{1, 6}));
}

// The sign test's table: of 20 values the 6th and the 15th bound a 95 % interval.
TEST(Statistics, TheIntervalIsTheSignTests) {
  std::vector<double> values;
  for (int i = 20; i >= 1; --i) values.push_back(i);
  EXPECT_EQ(median_interval(values, 0.05), (Interval{6, 15}));
  EXPECT_EQ(fewest_values(0.05 / 20), 10);
  EXPECT_EQ(fewest_values(0.05 / 200), 13);
}

TEST(Statistics, TheIntervalCoversTheMedianOfASkewedDistributionAsOftenAsItSays) {
  std::mt19937_64 random(11);
  std::lognormal_distribution<double> skewed(0, 1);  // its median is 1
  int missed = 0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> values(24);
    for (double& value : values) value = skewed(random);
    const auto interval = median_interval(values, 0.05);
    missed += interval->lower > 1 || interval->upper < 1;
  }
  EXPECT_LT(missed, 0.05 * kTrials);
  EXPECT_GT(missed, 0.01 * kTrials);
}

TEST(Statistics, ASpreadIsNotMovedByOneFarValue) {
  std::mt19937_64 random(12);
  std::normal_distribution<double> normal(5, 2);
  std::vector<double> values(2001);
  for (double& value : values) value = normal(random);
  const double before = spread(values);
  EXPECT_NEAR(before, 2, 0.2);
  values[0] = 1e9;
  EXPECT_NEAR(spread(values), before, 0.01);
}

TEST(Statistics, PlannedValuesFindTheEffectAsOftenAsPlanned) {
  constexpr double kSpread = 0.02, kDistance = 0.015, kMiss = 0.002, kPower = 0.8;
  const int count = values_needed(kSpread, kDistance, kMiss, kPower);
  EXPECT_NEAR(detectable_distance(kSpread, count, kMiss, kPower), kDistance, 0.0005);
  std::mt19937_64 random(13);
  std::normal_distribution<double> normal(kDistance, kSpread);
  int found = 0;
  constexpr int kTrials = 1000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> values(static_cast<std::size_t>(count));
    for (double& value : values) value = normal(random);
    found += median_interval(values, kMiss)->lower > 0;
  }
  EXPECT_NEAR(found / double{kTrials}, kPower, 0.1);
}

TEST(Statistics, RatesHaveClopperAndPearsonsBounds) {
  EXPECT_NEAR(rate_bounds(0, 300).upper, 0.0122, 0.0001);
  EXPECT_NEAR(rate_bounds(0, 60, 0.9).upper, 0.0487, 0.0001);
  EXPECT_NEAR(rate_bounds(95, 100).lower, 0.8872, 0.0001);
  EXPECT_NEAR(rate_bounds(95, 100).upper, 0.9836, 0.0001);
  EXPECT_EQ(rate_bounds(7, 7).upper, 1);
  EXPECT_EQ(rate_bounds(0, 0), (Interval{0, 1}));
}

}  // namespace
}  // namespace reshape::conformance::performance
