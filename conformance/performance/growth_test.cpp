#include "conformance/performance/growth.h"

#include <gtest/gtest.h>

#include <cmath>

#include "conformance/performance/bench.h"

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
      fit_growth("dense copy", "bytes", points([](double x) { return 300 + 0.02 * x; }), false);
  EXPECT_NEAR(copy.overhead_ns, 300, 0.01);
  EXPECT_NEAR(copy.ns_per_unit, 0.02, 1e-6);
  EXPECT_EQ(copy.flag, "");
}

TEST(Growth, AViewIsConstant) {
  EXPECT_EQ(fit_growth("view", "bytes", points([](double) { return 80.0; }), true).flag, "");
  EXPECT_NE(fit_growth("view", "bytes", points([](double x) { return 80 + 0.02 * x; }), true).flag,
            "");
}

TEST(Growth, FlagsWhatGrowsFasterThanItsSize) {
  EXPECT_NE(fit_growth("infer", "rank", points([](double x) { return x * x; }), false).flag, "");
  EXPECT_EQ(
      fit_growth("infer", "rank", points([](double x) { return x * std::log(x); }), false).flag,
      "");
}

TEST(Growth, SeriesAreFittedByWhatGrows) {
  std::vector<Workload> workloads;
  std::vector<BenchRow> rows;
  const auto add = [&](const std::string& name, Workload::Grows grows, int callers, double ns) {
    Workload workload;
    workload.name = name + std::to_string(callers);
    workload.call = Call::infer;
    workload.grows = grows;
    workload.callers = callers;
    workloads.push_back(workload);
    BenchRow row;
    row.name = workload.name;
    row.kind = kind_of(workload);
    row.ns = ns;
    rows.push_back(row);
  };
  for (const int callers : {1, 2, 4}) {
    add("alone ", Workload::Grows::nothing, callers, 1e9);
    add("callers ", Workload::Grows::callers, callers, 100.0 * callers * callers);
  }
  const std::vector<Growth> fits = growth_of(rows, workloads);
  ASSERT_EQ(fits.size(), 1u);
  EXPECT_EQ(fits[0].unit, "callers");
  EXPECT_EQ(fits[0].flag, "grows faster than its callers");
}

// Callers that share a lock take turns, which is linear; that they also slow each other down is
// more.
TEST(Growth, CallersMayTakeTurnsAndNotMore) {
  const auto by_callers = [](double (*ns)(double)) {
    return fit_growth("infer", "callers", {{1, ns(1)}, {2, ns(2)}, {4, ns(4)}}, false).flag;
  };
  EXPECT_EQ(by_callers([](double callers) { return 100 * callers; }), "");
  EXPECT_EQ(by_callers([](double callers) { return 100 * callers * callers; }),
            "grows faster than its callers");
}

}  // namespace
}  // namespace reshape::conformance::performance
