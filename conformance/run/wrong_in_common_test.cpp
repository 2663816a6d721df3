#include "conformance/run/wrong_in_common.h"

#include <gtest/gtest.h>

#include <deque>

namespace reshape::conformance {
namespace {

// Failures with these facts about their places and values.
class Failures {
 public:
  void add(std::vector<ElementFact> places, std::vector<ElementFact> values = {}) {
    CaseResult& one = failures_.emplace_back();
    one.wrong = WrongElements{std::move(places), std::move(values)};
    one.verdict.faults.emplace_back().watch = CaughtBy::bytes;
  }
  CaseResult& last() { return failures_.back(); }
  std::string in_common() const {
    std::vector<const CaseResult*> all;
    for (const CaseResult& one : failures_) all.push_back(&one);
    return wrong_in_common(all);
  }

 private:
  std::deque<CaseResult> failures_;
};

TEST(WrongInCommon, IsWhatSaysMostOfAll) {
  Failures failures;
  failures.add({{"every element", 1}, {"the last row", 0.5}, {"the first", 0.1}}, {{"is 0", 0.1}});
  failures.add({{"the last row", 0.4}, {"every element", 1}}, {{"is 0", 0.1}, {"is 1", 0.1}});
  EXPECT_EQ(failures.in_common(), "");  // two may have it in common by coincidence
  failures.add({{"the last row", 0.1}}, {{"is 1", 0.01}, {"is 0", 0.1}});
  EXPECT_EQ(failures.in_common(), "the last row; each is 0");
}

TEST(WrongInCommon, OfBlocksThatLeaveTheSameOverTheLargestIsTold) {
  Failures failures;
  for (int one = 0; one < 3; ++one) {
    failures.add({{"what is left behind the last full 1024 bytes", 0.1},
                  {"what is left behind the last full 65536 bytes", 0.1},
                  {"what is left behind the last full 8 bytes", 0.1}});
  }
  EXPECT_EQ(failures.in_common(), "what is left behind the last full 65536 bytes");
  Failures plainer;
  for (int one = 0; one < 3; ++one) {
    plainer.add({{"what is left behind the last full 16 bytes", 0.1}, {"the last element", 0.1}});
  }
  EXPECT_EQ(plainer.in_common(), "the last element");
}

TEST(WrongInCommon, ToldTwiceOfOneIsToldOnce) {
  Failures failures;
  failures.add({{"here", 0.5}, {"here", 0.5}});
  failures.add({{"here", 0.5}});
  failures.add({{"there", 0.5}});
  EXPECT_EQ(failures.in_common(), "");
}

TEST(WrongInCommon, OfManyAFewMayBeOtherwise) {
  Failures failures;
  for (int at = 0; at < 39; ++at) failures.add({{"the last row", 0.5}});
  failures.add({{"the first row", 0.5}});
  EXPECT_EQ(failures.in_common(), "the last row (39 of 40)");
  failures.add({{"the first row", 0.5}});
  failures.add({{"the first row", 0.5}});
  EXPECT_EQ(failures.in_common(), "");
}

// A fact about few elements may be coincidence: it counts only together with failures that show it
// surely.
TEST(WrongInCommon, WhatMayBeChanceIsOneMore) {
  Failures failures;
  for (int at = 0; at < 3; ++at) failures.add({}, {{"is 0", 0.1, false}});
  EXPECT_EQ(failures.in_common(), "");
  for (int at = 0; at < 3; ++at) failures.add({}, {{"is 0", 0.1}});
  EXPECT_EQ(failures.in_common(), "each is 0");
}

// Failures that are not about elements, or have too many wrong ones to look at, do not count.
TEST(WrongInCommon, IsOfThoseThatWereLookedAt) {
  Failures failures;
  for (int at = 0; at < 3; ++at) failures.add({{"the last row", 0.5}});
  failures.add({{"the first row", 0.5}});
  failures.last().verdict.faults.front().watch = CaughtBy::shape;
  failures.add({});
  failures.last().wrong.reset();
  EXPECT_EQ(failures.in_common(), "the last row");
}

TEST(WrongInCommon, OfShapesItIsWhatSaysMostOfAll) {
  std::deque<CaseResult> failures;
  std::vector<const CaseResult*> all;
  const auto add = [&](std::vector<ElementFact> facts) {
    CaseResult& one = failures.emplace_back();
    one.wrong_shape = WrongShape{"size 4 is 1", std::move(facts)};
    one.verdict.faults.emplace_back().watch = CaughtBy::shape;
    all.push_back(&one);
  };
  add({{"each 0 is 1", 0.1}, {"the data's own shape", 0.01}});
  add({{"each 0 is 1", 0.1}, {"each 0 is a plain 0", 0.05}});
  EXPECT_EQ(wrong_in_common(all), "");
  add({{"each 0 is 1", 0.1}});
  EXPECT_EQ(wrong_in_common(all), "each 0 is 1");
  // What is refused although it has an answer has no shape, and does not count.
  failures.emplace_back().verdict.faults.emplace_back().watch = CaughtBy::shape;
  all.push_back(&failures.back());
  EXPECT_EQ(wrong_in_common(all), "each 0 is 1");
  add({});
  EXPECT_EQ(wrong_in_common(all), "");
}

// "is 2^31-1" is no coincidence where most are so, and one that is "modulo 2^32" besides may be.
TEST(WrongInCommon, WhatFewShapesShareIsTakenBack) {
  const auto told = [](int of_the_first, int of_others) {
    std::vector<CaseResult> cases;
    for (int at = 0; at < of_the_first + of_others; ++at) {
      CaseResult& one = cases.emplace_back();
      one.verdict.faults.emplace_back().watch = CaughtBy::shape;
      one.wrong_shape = {"size 3 is chance", {{"each is chance", 0.1}, {"each is 1", 0.2}}};
      if (at < of_the_first) continue;
      one.wrong_shape = {"size 3 is 1", {{"each is 1", 0.2}}};
    }
    say_what_most_shapes_share(cases);
    return cases.front().wrong_shape->says;
  };
  EXPECT_EQ(told(1, 1), "size 3 is chance");  // so few tell nothing
  EXPECT_EQ(told(2, 2), "size 3 is chance");
  EXPECT_EQ(told(1, 2), "each is 1");
  std::vector<CaseResult> cases(3);
  for (CaseResult& one : cases) {
    one.verdict.faults.emplace_back().watch = CaughtBy::shape;
    const std::string says = "each is like " + std::to_string(&one - cases.data());
    one.wrong_shape = {says, {{says, 0.1}}};
  }
  say_what_most_shapes_share(cases);
  for (const CaseResult& one : cases) EXPECT_EQ(one.wrong_shape->says, "");
}

}  // namespace
}  // namespace reshape::conformance
