#include "conformance/translation/differences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "conformance/oracle/ruling_of.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

const Dialect& dialect(const std::string& name) { return built_in_suite().document(name)->dialect; }

// i32 is the only type of a pattern there.
TEST(Differences, AreShownByRequestsThatCanBeAsked) {
  for (const char* other : {"eigen-tensor-reshape", "stablehlo-reshape", "openvino-reshape-1"}) {
    const Differences all =
        differences(dialect("onednn-graph-dynamic-reshape-1"), dialect(other), false);
    EXPECT_FALSE(all.found.empty());
    for (const Difference& one : all.found) {
      EXPECT_TRUE(parse_line(print_line(one.first)).ok()) << print_line(one.first);
      EXPECT_TRUE(parse_line(print_line(one.second)).ok()) << print_line(one.second);
    }
  }
}

using Cause = std::tuple<std::string, std::string, Ruling::Kind, Ruling::Kind>;

Cause cause_of(const Difference& one) {
  return {one.first_clause, one.second_clause, one.first_answers.kind, one.second_answers.kind};
}

std::set<Cause> causes(const Differences& all, bool turned) {
  std::set<Cause> found;
  for (const Difference& one : all.found) {
    Cause cause = cause_of(one);
    if (turned) {
      cause = {one.second_clause, one.first_clause, one.second_answers.kind,
               one.first_answers.kind};
    }
    EXPECT_TRUE(found.insert(cause).second) << one.first_clause << " is told twice";
  }
  return found;
}

// Patterns of i32 alone against patterns of i64 alone: in the type of the other each refuses all.
TEST(Differences, WithoutACommonPatternTypeEachDocumentIsAskedInItsOwn) {
  const Dialect& narrow = dialect("onednn-graph-dynamic-reshape-1");
  const Dialect& wide = dialect("onnx-reshape-14");
  const Differences all = differences(narrow, wide, false);
  EXPECT_EQ(causes(all, false), causes(differences(wide, narrow, false), true));
  std::size_t of_the_type = 0;
  for (const Difference& one : all.found) {
    EXPECT_EQ(ruling_of(narrow, one.first), one.first_answers);
    EXPECT_EQ(ruling_of(wide, one.second), one.second_answers);
    if (one.first_clause == "pattern.type" || one.second_clause == "pattern.type") {
      EXPECT_EQ(one.first.pattern.type, one.second.pattern.type);
      ++of_the_type;
      continue;
    }
    EXPECT_EQ(one.first.pattern.type, ElementType::i32);
    EXPECT_EQ(one.second.pattern.type, ElementType::i64);
  }
  EXPECT_EQ(of_the_type, 2u);  // i64 where i32 is wanted, and i32 where i64 is
  const auto open = std::ranges::find_if(all.found, [](const Difference& one) {
    return one.first_answers.kind == Ruling::Kind::unspecified &&
           one.first_answers.clause == "zero.with-minus-one" &&
           one.second_answers.kind == Ruling::Kind::rejects;
  });
  ASSERT_NE(open, all.found.end());
  EXPECT_EQ(print_line(open->second),
            "onnx-reshape-14 f32[0] i64[-1,0] allowzero=1 shape_only=true");
}

// An independent search over small data, short patterns and each meaning of the flag.
std::size_t fewest_numbers_that_differ(const Dialect& first, const Dialect& second) {
  std::size_t fewest = 100;
  const std::vector<std::vector<std::int64_t>> lists = {
      {},     {0},    {1},  {2},  {3},     {0, 1},  {1, 0},  {2, 3},
      {3, 2}, {0, 0}, {-1}, {-2}, {0, -1}, {-1, 0}, {-1, 2}, {-1, -1}};
  for (const auto& sizes : lists) {
    if (std::ranges::any_of(sizes, [](auto size) { return size < 0; })) continue;
    for (const auto& values : lists) {
      for (const int sense : {-1, 0, 1}) {
        Request request;
        request.data = Shape(sizes);
        request.pattern.values.assign(values.begin(), values.end());
        const auto answer = [&](const Dialect& one) {
          request.special_zero.reset();
          if (one.zero == ZeroRule::by_flag && sense >= 0) request.special_zero = sense == 1;
          Ruling ruling = ruling_of(one, request);
          if (ruling.kind == Ruling::Kind::rejects) ruling.clause.clear();
          if (ruling.kind == Ruling::Kind::unspecified) ruling.clause.clear();
          return ruling;
        };
        if (!(answer(first) == answer(second))) {
          fewest = std::min(fewest, sizes.size() + values.size());
        }
      }
    }
  }
  return fewest;
}

TEST(Differences, ADocumentDoesNotDifferFromItself) {
  for (const Document& document : built_in_suite().documents) {
    const Differences all = differences(document.dialect, document.dialect, false);
    EXPECT_TRUE(all.found.empty()) << document.dialect.name << ": " << all.found[0].first_clause;
    EXPECT_GT(all.asked, 30'000u);
  }
}

TEST(Differences, EveryRequestThatIsToldDiffersAndNoSmallerOneIsMissed) {
  const std::vector<std::string> names = {"numpy-reshape", "onnx-reshape-14", "openvino-reshape-1",
                                          "pytorch-reshape", "stablehlo-reshape"};
  for (const std::string& first : names) {
    for (const std::string& second : names) {
      if (first >= second) continue;
      const Dialect& one = dialect(first);
      const Dialect& other = dialect(second);
      const Differences all = differences(one, other, false);
      for (const Difference& difference : all.found) {
        EXPECT_EQ(ruling_of(one, difference.first), difference.first_answers);
        EXPECT_EQ(ruling_of(other, difference.second), difference.second_answers);
        EXPECT_NE(text(difference.first_answers), text(difference.second_answers))
            << print_line(difference.first);
        EXPECT_GT(difference.requests, 0u);
        EXPECT_TRUE(parse_line(print_line(difference.first)).ok());
      }
      const std::size_t fewest = fewest_numbers_that_differ(one, other);
      if (fewest == 100) continue;
      ASSERT_FALSE(all.found.empty()) << first << ' ' << second;
      EXPECT_LE(all.found[0].first.data.rank() + all.found[0].first.pattern.values.size(), fewest)
          << first << ' ' << second << ": " << print_line(all.found[0].first);
      EXPECT_EQ(causes(all, false), causes(differences(other, one, false), true));
    }
  }
}

TEST(Differences, AZeroThatCopiesAndOneThatDoesNotAreACauseOfTheirOwn) {
  const Differences all = differences(dialect("onnx-reshape-13"), dialect("numpy-reshape"), false);
  const Cause cause{"zero.copies", "zero.literal", Ruling::Kind::produces, Ruling::Kind::rejects};
  const auto found = std::ranges::find(all.found, cause, cause_of);
  ASSERT_NE(found, all.found.end());
  EXPECT_EQ(print_line(found->first), "onnx-reshape-13 f32[1] i64[0] shape_only=true");
  EXPECT_EQ(print_line(found->second), "numpy-reshape f32[1] i64[0] shape_only=true");
}

// The search walks shapes before patterns, so the first request it meets is larger than this one.
TEST(Differences, TheSmallestRequestOfACauseIsTold) {
  const Differences all = differences(dialect("numpy-reshape"), dialect("onnx-reshape-13"), false);
  const Cause cause{"zero.literal", "zero.copies", Ruling::Kind::produces, Ruling::Kind::rejects};
  const auto found = std::ranges::find(all.found, cause, cause_of);
  ASSERT_NE(found, all.found.end());
  EXPECT_EQ(print_line(found->first), "numpy-reshape f32[1,0] i64[0] shape_only=true");
}

TEST(Differences, TypesAndSizesBeyond63BitsAreAskedToo) {
  Dialect wide = dialect("numpy-reshape");
  Dialect narrow = wide;
  narrow.data_types = {ElementType::f32};
  Differences all = differences(wide, narrow, false);
  ASSERT_EQ(all.found.size(), 1u);
  EXPECT_EQ(all.found[0].second_clause, "data.type");

  Dialect other = wide;
  other.volume_beyond_int64 =
      wide.volume_beyond_int64 == Answer::rejects ? Answer::unspecified : Answer::rejects;
  all = differences(wide, other, false);
  ASSERT_EQ(all.found.size(), 1u);
  EXPECT_NE(all.found[0].first_answers.kind, all.found[0].second_answers.kind);
}

}  // namespace
}  // namespace reshape::conformance
