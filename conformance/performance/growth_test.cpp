#include "conformance/performance/growth.h"

#include <gtest/gtest.h>

#include <cmath>

namespace reshape::conformance::performance {
namespace {

std::vector<SizedTime> points(double (*ns)(double)) {
  std::vector<SizedTime> made;
  for (const double size : {1024., 4096., 16384., 65536., 262144.})
    made.push_back({size, ns(size)});
  return made;
}

TEST(Growth, FindsTheOverheadAndTheTimeOfAByte) {
  const Growth copy =
      fit_growth("dense copy", points([](double x) { return 300 + 0.02 * x; }), false);
  EXPECT_NEAR(copy.overhead_ns, 300, 0.01);
  EXPECT_NEAR(copy.ns_per_unit, 0.02, 1e-6);
  EXPECT_EQ(copy.flag, "");
}

TEST(Growth, AViewIsConstant) {
  EXPECT_EQ(fit_growth("view", points([](double) { return 80.0; }), true).flag, "");
  EXPECT_NE(fit_growth("view", points([](double x) { return 80 + 0.02 * x; }), true).flag, "");
}

TEST(Growth, FlagsWhatGrowsFasterThanItsSize) {
  EXPECT_NE(fit_growth("infer", points([](double x) { return x * x; }), false).flag, "");
  EXPECT_EQ(fit_growth("infer", points([](double x) { return x * std::log(x); }), false).flag, "");
}

}  // namespace
}  // namespace reshape::conformance::performance
