#include "conformance/command/progress.h"

#include <gtest/gtest.h>

namespace reshape::conformance {
namespace {

TEST(SecondsLeft, AreThoseOfTheRestAtThePaceOfWhatWasExecuted) {
  EXPECT_EQ(seconds_left({.done = 300, .executed = 100, .planned = 1300}, 12), 120.0);
}

// The first case may have been the largest of all.
TEST(SecondsLeft, AreNotToldByAFewCases) {
  const Progress one = {.done = 8379, .executed = 1, .planned = 17845};
  EXPECT_EQ(seconds_left(one, 12), std::nullopt);
  EXPECT_GT(seconds_left(one, 40), 100'000.0) << "a library that slow has no more to show";
  EXPECT_EQ(seconds_left({.done = 8379, .planned = 17845}, 40), std::nullopt);
}

}  // namespace
}  // namespace reshape::conformance
