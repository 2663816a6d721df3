#include "conformance/run/bounds.h"

#include <gtest/gtest.h>

#include "conformance/run/runner.h"
#include "conformance/run/testing/small_suite.h"

namespace reshape::conformance {
namespace {

RunOptions options_with(bool fail_fast, int most_hangs, double time_limit) {
  RunOptions options;
  options.fail_fast = fail_fast;
  options.most_hangs = most_hangs;
  options.time_limit = time_limit;
  return options;
}

TEST(Bounds, AreReachedByWhatTheyCount) {
  Bounds none(options_with(false, 0, 0));
  for (int i = 0; i < 100; ++i) none.saw(true, true);
  EXPECT_EQ(none.reached(), std::nullopt);

  Bounds fast(options_with(true, 0, 0));
  fast.saw(false, true);
  EXPECT_EQ(fast.reached(), std::nullopt);
  fast.saw(true, false);
  EXPECT_EQ(fast.reached(), "not asked after the first failure (--fail-fast)");

  Bounds hangs(options_with(false, 2, 0));
  hangs.saw(true, true);
  hangs.saw(true, false);
  EXPECT_EQ(hangs.reached(), std::nullopt);
  hangs.saw(true, true);
  EXPECT_EQ(hangs.reached(), "not asked after 2 hangs (--most-hangs)");

  Bounds ends(options_with(false, 2, 0));
  for (int i = 0; i < 99; ++i) ends.saw_an_end(1);
  EXPECT_EQ(ends.reached(), std::nullopt);
  ends.saw_an_end(1);
  ASSERT_TRUE(ends.reached());
  EXPECT_TRUE(ends.reached()->starts_with("not asked after 100 requests that ended the process"));
  Bounds quick_ends(options_with(false, 2, 0));
  for (int i = 0; i < 1000; ++i) quick_ends.saw_an_end(0.01);
  EXPECT_EQ(quick_ends.reached(), std::nullopt);

  const Bounds late(options_with(false, 0, 1e-9));
  EXPECT_EQ(late.reached(), "not asked within 1e-09 s (--time-limit)");
}

TEST(Bounds, AreTheOptionsDefault) { EXPECT_GT(RunOptions().most_hangs, 0); }

Outcome hang(const Request&) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::timed_out;
  outcome.during = "inference";
  return outcome;
}

// Every planned case has a result: the rest is skipped, with the reason.
TEST(Bounds, SkipTheRestOfARun) {
  const Suite suite = testing::small_suite();
  Bounds bounds(options_with(false, 3, 0));
  const RunResult result = testing::run_all(suite, hang, testing::everything(), &bounds);
  const Tally all = tallies(result).all;
  EXPECT_EQ(all.planned, 10);
  EXPECT_EQ(all.executed, 3);
  EXPECT_EQ(all.fail, 3);
  EXPECT_EQ(all.unsupported, 7);
  EXPECT_EQ(result.cut_short, "not asked after 3 hangs (--most-hangs)");
  EXPECT_EQ(result.cases.back().verdict.reason, result.cut_short);
}

TEST(Bounds, LeaveARunThatPassedSoFarWithoutAVerdict) {
  const Suite suite = testing::small_suite();
  RunResult result = testing::run_all(suite);
  ASSERT_TRUE(result.cases_conform());
  EXPECT_TRUE(result.complete());
  result.cut_short = "not asked within 1 s (--time-limit)";
  EXPECT_FALSE(result.complete());
}

TEST(SecondsToDiagnose, AreWhatIsLeftOfTheTimeLimitOrAFew) {
  EXPECT_EQ(seconds_to_diagnose(20, 0, 100, 15), 20);
  EXPECT_EQ(seconds_to_diagnose(20, 60, 10, 15), 5);
  EXPECT_EQ(seconds_to_diagnose(20, 60, 50, 4), 6);
  EXPECT_EQ(seconds_to_diagnose(20, 60, 70, 0.5), 1.5);
  EXPECT_EQ(seconds_to_diagnose(20, 60, 70, 3), 0);
}

}  // namespace
}  // namespace reshape::conformance
