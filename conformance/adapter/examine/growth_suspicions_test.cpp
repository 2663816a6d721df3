// GrowthSuspicions with made-up answers.
#include "conformance/adapter/examine/growth_suspicions.h"

#include <gtest/gtest.h>

namespace reshape::conformance {
namespace {

Outcome telling(CaughtBy watch) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::produced;
  if (watch != CaughtBy::none)
    outcome.observations = {{watch, Plane::memory, Duty::C15, "so many bytes"}};
  return outcome;
}

struct Asked {
  GrowthSuspicions suspicions;
  int apart = 0;
  int here = 0;

  // Whether the suspicion is told, when a fresh process answers like this.
  bool told(CaughtBy answer, bool long_use = false) {
    Outcome outcome = telling(CaughtBy::memory_growth);
    suspicions.settle(
        outcome, long_use,
        [&](Sites, int) {
          ++apart;
          return telling(answer);
        },
        [&](Sites, int) {
          ++here;
          return telling(answer);
        });
    return !outcome.observations.empty();
  }
};

TEST(GrowthSuspicions, AreToldWhenTheyLastAndAreNotAskedAgain) {
  for (const bool long_use : {false, true}) {
    Asked asked;
    EXPECT_TRUE(asked.told(CaughtBy::memory_growth, long_use));
    EXPECT_TRUE(asked.told(CaughtBy::none, long_use));  // known by now
    EXPECT_EQ(asked.apart, 1);
    EXPECT_EQ(asked.here, 0);
  }
}

// Only for caches: without one, no extra calls are made in the process.
TEST(GrowthSuspicions, OfACacheHaveItFilledHere) {
  for (const bool long_use : {false, true}) {
    Asked asked;
    EXPECT_FALSE(asked.told(CaughtBy::memory_fills, long_use));
    EXPECT_EQ(asked.here, 1);
    EXPECT_FALSE(asked.told(CaughtBy::none, long_use));
    EXPECT_EQ(asked.here, 1);
    EXPECT_EQ(asked.apart, 2);
  }
}

// Where memory grew over a whole run, any site may be the one: also where both sides overlap.
TEST(GrowthSuspicions, OfALongUseAreAskedForAtEverySite) {
  for (int ask = 0; ask <= static_cast<int>(Probe::kLastAsk); ++ask) {
    const Sites leaking = site_of(static_cast<Probe::Ask>(ask));
    GrowthSuspicions suspicions;
    Outcome outcome = telling(CaughtBy::memory_growth);
    const auto answer = [&](Sites sites, int) -> std::optional<Outcome> {
      return telling((sites & leaking) != 0 ? CaughtBy::memory_growth : CaughtBy::none);
    };
    suspicions.settle(outcome, true, answer, answer);
    EXPECT_EQ(outcome.observations.size(), 1u) << ask;
  }
}

TEST(GrowthSuspicions, ThatNobodyCouldLookIntoAreNotTold) {
  Outcome kept_from_it = telling(CaughtBy::none);
  kept_from_it.kind = Outcome::Kind::timed_out;
  kept_from_it.kept_from_it = true;
  for (const std::optional<Outcome>& came :
       {std::optional<Outcome>(), std::optional(not_asked("no process")),
        std::optional(kept_from_it)}) {
    GrowthSuspicions suspicions;
    Outcome outcome = telling(CaughtBy::memory_growth);
    const auto answer = [&](Sites, int) { return came; };
    suspicions.settle(outcome, false, answer, answer);
    EXPECT_TRUE(outcome.observations.empty());
  }
}

TEST(GrowthSuspicions, AreToldWhereTheProcessEndsInManyCalls) {
  GrowthSuspicions suspicions;
  Outcome outcome = telling(CaughtBy::memory_growth);
  Outcome crashed = telling(CaughtBy::none);
  crashed.kind = Outcome::Kind::crashed;
  const auto answer = [&](Sites, int) { return std::optional(crashed); };
  suspicions.settle(outcome, false, answer, answer);
  EXPECT_EQ(outcome.observations.size(), 1u);
}

TEST(GrowthSuspicions, AreNotLookedForWhereNothingGrew) {
  GrowthSuspicions suspicions;
  Outcome outcome = telling(CaughtBy::canaries);
  const auto never = [](Sites, int) -> std::optional<Outcome> {
    ADD_FAILURE();
    return std::nullopt;
  };
  suspicions.settle(outcome, false, never, never);
  EXPECT_EQ(outcome.observations.size(), 1u);
}

}  // namespace
}  // namespace reshape::conformance
