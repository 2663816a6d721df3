#include "optimized/benchmark/standards.h"

#include <gtest/gtest.h>

#include <sstream>

#include "optimized/benchmark/workloads.h"

namespace reshape::optimized {
namespace {

std::string said(const Ours& ours) {
  std::ostringstream out;
  print_standing(out, ours);
  return out.str();
}

TEST(Standards, EveryLayoutRowButTheLastHasOne) {
  for (const Workload& workload : layout_workloads()) {
    const std::string name = std::string("layout/") + workload.name + "/f32/1T";
    EXPECT_EQ(standard_of(name) != nullptr, std::string_view(workload.name).substr(0, 2) != "28")
        << name;
  }
  EXPECT_EQ(standard_of("onednn/01 of another group/f32/1T"), nullptr);
  EXPECT_EQ(standard_of("layout/other/01 copy 4096x4096/u8/1T"), nullptr);
}

TEST(Standards, MeanIsGeometricOverThePeerOfAsManyThreads) {
  // 02: .29 at one thread, .52 at two; 12: .51 and .76.
  EXPECT_NE(
      said({{1, {{"02", .58}, {"12", 4.08}}}})
          .find("1 thread: 4.00 times the best peer of each row in the geometric mean; 2 of 2"),
      std::string::npos);
  EXPECT_NE(said({{2, {{"02", .52}, {"12", .19}}}}).find("2 threads: 0.50 times"),
            std::string::npos);
  EXPECT_EQ(said({}), "");
}

TEST(Standards, WhatIsMissedIsSaidAndWhatIsReachedIsNot) {
  const std::string text =
      said({{1, {{"02", .596}, {"03", .40}, {"12", .45}}}, {2, {{"12", .70}}}});
  EXPECT_EQ(text.find("  02 at"), std::string::npos) << text;
  EXPECT_NE(text.find("  03 at 0.40, to reach 0.50; rows a power of two apart"), std::string::npos)
      << text;
  EXPECT_NE(text.find("  12 at 0.45, to reach 0.70, HPTT has 0.51\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  12 at 0.70, HPTT has 0.76; at two threads"), std::string::npos) << text;
}

}  // namespace
}  // namespace reshape::optimized
