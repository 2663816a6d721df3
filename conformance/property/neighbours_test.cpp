#include "conformance/property/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "conformance/oracle/ruling_of.h"
#include "conformance/text/line.h"
#include "reference/tensor/declared_dialects.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

std::vector<Request> around(const std::string& line) {
  const Request request = *parse_line(line);
  SeededChoices choices(1);
  std::vector<Request> all;
  for (const auto& group : neighbours(*declared_dialect(request.dialect), {}, request, choices)) {
    EXPECT_FALSE(group.empty());
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

void expect_around(const std::string& line, std::initializer_list<std::string> expected) {
  std::set<std::string> lines;
  for (const Request& one : around("openvino-reshape-1 " + line)) lines.insert(print_line(one));
  for (const std::string& one : expected) {
    EXPECT_TRUE(lines.contains("openvino-reshape-1 " + one)) << one;
  }
}

TEST(Neighbours, AreOfTheSameClassAndEachIsAnother) {
  for (const std::string line :
       {"openvino-reshape-1 f32[2,3,4] i64[0,-1] special_zero=true",
        "openvino-reshape-1 i8[2,6] i32[3,4] special_zero=false strides=[1,2] out_strides=[5,1]",
        "openvino-reshape-1 f32[2,3] i64[-1,-1] special_zero=true",
        "onednn-static-reshape f32[] i64[1,1]"}) {
    const Request request = *parse_line(line);
    const Dialect& dialect = *declared_dialect(request.dialect);
    const Aim aim = aim_of(ruling_of(dialect, request));
    std::vector<std::string> lines{print_line(request)};
    for (const Request& one : around(line)) {
      EXPECT_EQ(text(aim_of(ruling_of(dialect, one))), text(aim)) << print_line(one);
      lines.push_back(print_line(one));
      EXPECT_TRUE(parse_line(lines.back()).ok()) << lines.back();
    }
    EXPECT_GT(lines.size(), 8u) << line;
    std::ranges::sort(lines);
    EXPECT_EQ(std::ranges::adjacent_find(lines), lines.end()) << line;
  }
}

// What is changed nowhere would be in common to all failures around one, and be blamed.
TEST(Neighbours, ChangeEachThingThatAFailureCanHangOn) {
  const std::string line =
      "openvino-reshape-1 f32[2,3,4] i64[0,-1] special_zero=true strides=[12,4,1]";
  const Request request = *parse_line(line);
  const std::vector<Request> all = around(line);
  const auto some = [&](const std::function<bool(const Request&)>& is) {
    return std::ranges::any_of(all, is);
  };
  EXPECT_TRUE(some([&](const Request& one) { return one.data_type != request.data_type; }));
  EXPECT_TRUE(some([&](const Request& one) { return one.pattern.type != request.pattern.type; }));
  EXPECT_TRUE(some([](const Request& one) { return !one.strides; }));
  EXPECT_TRUE(some([](const Request& one) { return one.out_strides.has_value(); }));
  EXPECT_TRUE(some([](const Request& one) { return one.data.rank() < 3; }));
  EXPECT_TRUE(some([](const Request& one) { return one.data.rank() > 3; }));
  EXPECT_TRUE(some([](const Request& one) { return one.pattern.values.size() > 2; }));
  EXPECT_TRUE(some([](const Request& one) { return one.pattern.values.size() < 2; }));
  EXPECT_TRUE(some([](const Request& one) { return one.pattern.values.back() != -1; }));
  EXPECT_TRUE(some([](const Request& one) { return one.pattern.values.front() != 0; }));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_TRUE(some([&](const Request& one) {
      return one.data.rank() == 3 && one.data[axis] > request.data[axis];
    })) << axis;
  }
  // The flag alone, where the class is the same without it.
  expect_around("f32[2,3] i64[3,2] special_zero=true", {"f32[2,3] i64[3,2] special_zero=false"});
}

// Where small requests pass, they tell nothing of a large one.
TEST(Neighbours, OfLargeRequestsAreLargeInTheSameLayout) {
  const std::string line = "f32[65539,3] i64[196617] special_zero=true strides=[1,65539]";
  for (const Request& one : around("openvino-reshape-1 " + line)) {
    EXPECT_LE(*element_count(one.data), 2 * 196617) << print_line(one);
  }
  expect_around(line, {"f32[65540,3] i64[196620] special_zero=true strides=[1,65540]",
                       "f32[65538,3] i64[196614] special_zero=true strides=[1,65538]",
                       "f32[131078,3] i64[393234] special_zero=true strides=[1,131078]",
                       "f32[32769,3] i64[98307] special_zero=true strides=[1,32769]",
                       "u8[65539,3] i64[196617] special_zero=true strides=[1,65539]"});
}

TEST(Neighbours, HaveOneStrideThatIsLongerOrShorter) {
  expect_around(
      "u8[4,2] i64[4,2] special_zero=true strides=[3,1] out_strides=[-3,1] out_offset=9",
      {"u8[4,2] i64[4,2] special_zero=true strides=[4,1] out_strides=[-3,1] out_offset=9",
       "u8[4,2] i64[4,2] special_zero=true strides=[2,1] out_strides=[-3,1] out_offset=9",
       // A longer row, behind which is the same gap.
       "u8[4,3] i64[4,3] special_zero=true strides=[4,1] out_strides=[-4,1] out_offset=12"});
}

TEST(Neighbours, OfARefusalHaveTheDataInItsAndInOtherLayouts) {
  const std::string line = "u8[4,2] i64[9] special_zero=true strides=[3,1]";
  std::set<Strides> met;
  for (const Request& one : around("openvino-reshape-1 " + line)) {
    EXPECT_FALSE(one.out_strides) << print_line(one);
    EXPECT_TRUE(parse_line(print_line(one)).ok()) << print_line(one);
    if (one.strides) met.insert(*one.strides);
  }
  EXPECT_GT(met.size(), 8u);
  expect_around(line, {"u8[4,2] i64[9] special_zero=true strides=[4,1]",
                       "u8[5,2] i64[9] special_zero=true strides=[3,1]"});
}

// The answers to what has no right one would tell nothing.
TEST(Neighbours, HaveNoTwoElementsOfTheOutputAtOnePlace) {
  for (const Request& one : around("onnx-reshape-19 f32[12,8] i64[2,-1] out_strides=[48,1]")) {
    if (!one.out_strides) continue;
    const Ruling right = ruling_of(*declared_dialect(one.dialect), one);
    EXPECT_FALSE(overlaps({right.shape, *one.out_strides, one.out_offset})) << print_line(one);
  }
}

TEST(Neighbours, AreWhatAnImplementationCanBeAsked) {
  const Request request = *parse_line("openvino-reshape-1 f32[2,3] i64[3,2] special_zero=true");
  Abilities able;
  able.data_types = {ElementType::f32, ElementType::u8};
  able.pattern_types = {ElementType::i64};
  able.max_rank = 2;
  SeededChoices choices(1);
  const auto groups = neighbours(*declared_dialect(request.dialect), able, request, choices);
  EXPECT_FALSE(groups.empty());
  for (const std::vector<Request>& group : groups) {
    for (const Request& one : group) {
      EXPECT_TRUE(able.data_types.contains(one.data_type)) << print_line(one);
      EXPECT_EQ(one.pattern.type, ElementType::i64) << print_line(one);
      EXPECT_LE(one.data.rank(), 2u) << print_line(one);
    }
  }
}

}  // namespace
}  // namespace reshape::conformance
