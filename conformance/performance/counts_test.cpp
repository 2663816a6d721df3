#include "conformance/performance/counts.h"

#include <gtest/gtest.h>

namespace reshape::conformance::performance {
namespace {

TEST(Counts, ReadsTheTotalsOfACallgrindFile) {
  const auto totals = callgrind_totals(
      "# callgrind format\nevents: Ir Dr Dw I1mr\n\nfn=(1)\n5 100 3 4\ntotals: 12000 300 200 1\n");
  EXPECT_EQ(totals.at("Ir"), 12000);
  EXPECT_EQ(totals.at("Dw"), 200);
  EXPECT_TRUE(callgrind_totals("").empty());
}

std::vector<std::string> found(Counts was, Counts is) {
  Workload one;
  one.name = "view/x";
  return worse({one}, {was}, {is}, 1);
}

TEST(Counts, ALostViewIsAFailureOfItsOwnKind) {
  Counts lost;
  lost.failure = "the promised view became a copy";
  lost.view_lost = true;
  EXPECT_EQ(found({}, lost), (std::vector<std::string>{"view/x: a promised view became a copy"}));
  EXPECT_TRUE(found(lost, lost).empty());
}

TEST(Counts, MoreInstructionsOrAllocationsAreWorseAndFewerAreNot) {
  const Counts was{1000, 10, 10, 1, 64, {}, false};
  EXPECT_TRUE(found(was, was).empty());
  EXPECT_TRUE(found(was, {1009, 10, 10, 1, 64, {}, false}).empty());
  EXPECT_EQ(found(was, {1020, 10, 10, 1, 64, {}, false}).size(), 1u);
  EXPECT_EQ(found(was, {1000, 10, 10, 2, 64, {}, false}).size(), 1u);
  EXPECT_EQ(found(was, {1000, 10, 10, 1, 128, {}, false}).size(), 1u);
  EXPECT_TRUE(found(was, {500, 10, 10, 0, 0, {}, false}).empty());
  EXPECT_TRUE(found(was, {-1, -1, -1, -1, -1, {}, false}).empty());  // nothing could be counted
}

}  // namespace
}  // namespace reshape::conformance::performance
