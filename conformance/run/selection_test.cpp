#include "conformance/run/selection.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "conformance/run/testing/small_suite.h"

namespace reshape::conformance {
namespace {

std::vector<std::string> ids(const Suite& suite, const Selection& selection) {
  const Result<std::vector<const Case*>> chosen = select(suite, selection);
  if (!chosen) return {"error: " + chosen.error().text()};
  std::vector<std::string> names;
  for (const Case* one : *chosen) names.push_back(one->id);
  return names;
}

using Ids = std::vector<std::string>;

class Select : public ::testing::Test {
 protected:
  const Suite suite = testing::small_suite();
};

TEST_F(Select, NothingGivenIsEverythingInOrder) {
  const Ids all = ids(suite, {});
  ASSERT_EQ(all.size(), 10u);
  EXPECT_EQ(all.front(), "one/plain");
  EXPECT_EQ(all.back(), "two/open");
}

TEST_F(Select, ByDialect) {
  EXPECT_EQ(ids(suite, {{"two"}, {}, {}, {}}).size(), 5u);
  EXPECT_EQ(ids(suite, {{"two", "one"}, {}, {}, {}}).front(), "one/plain");
}

TEST_F(Select, ByIdGlob) {
  EXPECT_EQ(ids(suite, {{}, {"*/p*"}, {}, {}}), (Ids{"one/plain", "two/plain"}));
  EXPECT_EQ(ids(suite, {{}, {"one/plain", "two/ope?"}, {}, {}}), (Ids{"one/plain", "two/open"}));
  EXPECT_EQ(ids(suite, {{}, {"one[/]plain"}, {}, {}}), (Ids{"one/plain"}));
  EXPECT_EQ(ids(suite, {{}, {"one/plain~i8"}, {}, {}}), (Ids{"one/plain"}));
}

TEST_F(Select, ByClauseAndType) {
  EXPECT_EQ(ids(suite, {{}, {}, {"volume.kept"}, {}}), (Ids{"one/too-many", "two/too-many"}));
  EXPECT_EQ(ids(suite, {{}, {}, {}, {"i64"}}), (Ids{"one/wide", "two/wide"}));
}

TEST_F(Select, KindsNarrowEachOther) {
  EXPECT_EQ(ids(suite, {{"one"}, {"*/*"}, {"output.shape"}, {"i64", "boolean"}}),
            (Ids{"one/wide"}));
}

TEST_F(Select, WhatNoCaseMeetsIsAnError) {
  EXPECT_EQ(ids(suite, {{"three"}, {}, {}, {}}),
            (Ids{"error: unknown dialect 'three'; the suite has one and two"}));
  EXPECT_EQ(ids(suite, {{}, {"one/plain", "none"}, {}, {}}),
            (Ids{"error: no case has filter 'none'"}));
  EXPECT_EQ(ids(suite, {{}, {}, {"zero.copies"}, {}}),
            (Ids{"error: no case has clause 'zero.copies'"}));
  EXPECT_EQ(ids(suite, {{}, {}, {}, {"f33"}}), (Ids{"error: unknown element type 'f33'"}));
  EXPECT_EQ(ids(suite, {{}, {}, {}, {"u4"}}), (Ids{"error: no case has type 'u4'"}));
  EXPECT_EQ(ids(suite, {{"one"}, {"two/*"}, {}, {}}), (Ids{"error: no case has filter 'two/*'"}));
  EXPECT_EQ(ids(suite, {{}, {"*/plain"}, {"volume.kept"}, {}}),
            (Ids{"error: no case meets all the conditions together"}));
}

// A library may declare a dialect that the suite has no case of.
TEST_F(Select, WithoutRefusalTheConditionsThatAreMetDecide) {
  EXPECT_EQ(cases_that_meet(suite, {{"three", "two"}, {}, {}, {}}).size(), 5u);
  EXPECT_EQ(cases_that_meet(suite, {{"three"}, {}, {}, {}}).size(), 0u);
}

TEST(ParseShard, ReadsPartAndCount) {
  EXPECT_EQ(parse_shard("2/4")->index, 2);
  EXPECT_EQ(parse_shard("2/4")->count, 4);
  for (const char* bad :
       {"", "1", "0/2", "3/2", "-1/2", "1/0", "1/2x", "a/2", "1/", "/2", "1 /2", "1/99999999999"}) {
    ASSERT_FALSE(parse_shard(bad)) << bad;
    EXPECT_EQ(parse_shard(bad).error().message,
              "a shard is I/N with 1 <= I <= N <= 2147483647, not '" + std::string(bad) + "'");
  }
}

RC_GTEST_PROP(Shards, EveryIdIsInExactlyOnePart, ()) {
  const auto id = *rc::gen::arbitrary<std::string>();
  const int count = *rc::gen::inRange(1, 20);
  int holding = 0;
  for (int index = 1; index <= count; ++index) holding += Shard{index, count}.holds(id) ? 1 : 0;
  RC_ASSERT(holding == 1);
}

// Also needed: a hash that puts everything into one part is complete and disjoint, too.
TEST(Shards, AreOfSimilarSize) {
  for (int count : {2, 3, 4, 7, 8}) {
    for (int index = 1; index <= count; ++index) {
      int held = 0;
      for (int number = 0; number < 1000; ++number) {
        held += Shard{index, count}.holds("openvino-reshape-1/case-" + std::to_string(number));
      }
      EXPECT_GT(held, 1000 / count * 7 / 10);
      EXPECT_LT(held, 1000 / count * 13 / 10);
    }
  }
}

// Another part on another machine must be the same part: the hash is pinned.
TEST(Shards, AreTheSameEverywhere) {
  Ids held;
  for (const char* id : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    if (Shard{1, 2}.holds(id)) held.emplace_back(id);
  }
  EXPECT_EQ(held, (Ids{"a", "c", "e", "g"}));
}

}  // namespace
}  // namespace reshape::conformance
