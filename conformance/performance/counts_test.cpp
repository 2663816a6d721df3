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

Compared with_baseline(const Counts& was, const Counts& is) {
  Workload one;
  one.name = "view/x";
  return compared({one}, {was}, {is}, 1);
}

std::vector<std::string> found(const Counts& was, const Counts& is) {
  return with_baseline(was, is).worse;
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
}

TEST(Counts, WhatOneOfTheTwoHasNoCountOfIsSaidAndNotCompared) {
  const Counts whole{1000, 10, 10, 1, 64, {}, false};
  const Counts none;
  const Counts without_valgrind{-1, -1, -1, 1, 64, {}, false};
  const Counts failed{-1, -1, -1, 1, 64, "under valgrind: it died", false};
  EXPECT_EQ(with_baseline(whole, whole).compared, 1);
  EXPECT_TRUE(with_baseline(whole, whole).not_compared.empty());
  for (const auto& [was, is] : {std::pair(whole, none), std::pair(none, whole)}) {
    EXPECT_EQ(with_baseline(was, is).compared, 0);
    EXPECT_EQ(with_baseline(was, is).not_compared.size(), 2u);
    EXPECT_TRUE(found(was, is).empty());
  }
  EXPECT_EQ(with_baseline(without_valgrind, whole).compared, 1);
  EXPECT_EQ(with_baseline(without_valgrind, whole).not_compared.size(), 1u);
  EXPECT_EQ(found(whole, failed), (std::vector<std::string>{"view/x: under valgrind: it died"}));
  for (const Counts& is : {whole, failed}) {
    EXPECT_EQ(with_baseline(failed, is).compared, 0);
    EXPECT_EQ(with_baseline(failed, is).not_compared.size(), 1u);
    EXPECT_TRUE(found(failed, is).empty());
  }
}

}  // namespace
}  // namespace reshape::conformance::performance
