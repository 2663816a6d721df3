// conditions_of() with failures whose condition is known.
#include "conformance/detection/conditions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/detection/request_traits.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using Strings = std::vector<std::string>;

// Copies of n elements for many n, of three types, with a dense output and with two kinds of
// strided ones.
Strings lines() {
  Strings lines;
  for (const char* type : {"u8", "f32", "f64"}) {
    for (int rows = 1; rows <= 4; ++rows) {
      for (int columns = 3; columns <= 23; columns += 2) {
        const std::string count = std::to_string(rows * columns);
        const std::string line = std::string("openvino-reshape-1 ") + type + "[" +
                                 std::to_string(rows) + "," + std::to_string(columns) + "] i64[" +
                                 count + "] special_zero=true";
        lines.push_back(line);
        lines.push_back(line + " out_strides=[2]");
        lines.push_back(line +
                        " out_strides=[-3] out_offset=" + std::to_string(3 * (rows * columns - 1)));
      }
    }
  }
  return lines;
}

// The conditions found if those of the requests fail that `fails` selects.
Conditions found(const std::function<bool(const Request&)>& fails) {
  std::deque<Request> requests;
  std::vector<const Request*> failures, passes;
  for (const std::string& line : lines()) {
    requests.push_back(*parse_line(line));
    (fails(requests.back()) ? failures : passes).push_back(&requests.back());
  }
  KnownTraits known;
  return conditions_of(failures, passes, known);
}

std::int64_t count_of(const Request& request) { return *element_count(request.data); }

// What was found can be asked of requests that were in neither group: of traits and of bounds.
TEST(Conditions, HoldOrNotOfRequestsThatWereNotLookedAt) {
  const Conditions strided =
      found([](const Request& request) { return request.out_strides.has_value(); });
  const Conditions large = found([](const Request& request) { return count_of(request) >= 33; });
  const Request small = *parse_line("openvino-reshape-1 i8[7] i64[7] special_zero=false");
  const Request many = *parse_line("openvino-reshape-1 i8[700] i64[700] special_zero=false");
  Request apart = small;
  apart.out_strides = Strides{5};
  ASSERT_TRUE(strided.hold && large.hold);
  EXPECT_FALSE(strided.hold(small) || large.hold(small));
  EXPECT_TRUE(strided.hold(apart));
  EXPECT_FALSE(strided.hold(many));
  EXPECT_TRUE(large.hold(many));
}

// One that fails of another cause leaves the condition of all others standing, and is told apart.
TEST(Conditions, HoldOfNearlyAllWhereFailuresAreMany) {
  const auto strided = [](const Request& request) { return request.out_strides.has_value(); };
  const Conditions one = found([&](const Request& request) {
    return strided(request) || (count_of(request) == 3 && request.data_type == ElementType::u8);
  });
  EXPECT_EQ(one.where, Strings{"a strided output"});
  EXPECT_EQ(one.failures_there, 264u);
  EXPECT_EQ(one.passes_there, 0u);
  const Conditions many = found([&](const Request& request) {
    return strided(request) || request.data_type == ElementType::u8;
  });
  EXPECT_NE(many.where, Strings{"a strided output"});
}

TEST(Conditions, SayWhatBlocksOfAKernelLeaveOver) {
  const Conditions rest = found([](const Request& request) { return count_of(request) % 8 == 5; });
  EXPECT_EQ(rest.where, Strings{"a number of elements that is 5 more than a multiple of 8"});
  EXPECT_EQ(rest.passes_there, 0);
}

TEST(Conditions, TellTheOutputsLayoutFromTheDatas) {
  const Conditions backwards =
      found([](const Request& request) { return request.out_strides == Strides{-3}; });
  EXPECT_EQ(backwards.where, Strings{"a negative stride of the output"});
  EXPECT_EQ(backwards.passes_there, 0);
}

TEST(Conditions, AreSeveralWhereOneDoesNotDo) {
  const Conditions both = found([](const Request& request) {
    return request.data_type == ElementType::f64 && request.out_strides == Strides{-3} &&
           count_of(request) >= 16;
  });
  EXPECT_EQ(both.passes_there, 0);
  // Of these lines none but those of f64 with this stride step so many bytes.
  EXPECT_EQ(both.where,
            (Strings{"a longest stride of 24 bytes on either side", "17 elements or more"}));
}

TEST(Conditions, SayNothingOfWhatFailsByChance) {
  std::uint32_t state = 1;
  for (int drawn = 0; drawn < 20; ++drawn) {
    const Conditions none = found([&](const Request&) {
      state = state * 1664525 + 1013904223;
      return state >> 24 < 10;  // one in 25
    });
    EXPECT_EQ(none.where, Strings{}) << drawn;
  }
}

TEST(Conditions, SayNothingOfTwoFailures) {
  int failures = 0;
  const Conditions none = found([&](const Request& request) {
    return request.out_strides == Strides{-3} && ++failures <= 2;
  });
  EXPECT_EQ(none.where, Strings{});
  EXPECT_GT(none.passes_there, 0);
}

// Of what most failures have, and not nearly all.
TEST(Conditions, HaveATendencyBesides) {
  const auto tendency = [](int but_one_in, const std::function<bool(const Request&)>& is_strided) {
    std::deque<Request> requests;
    std::vector<const Request*> failures, passes;
    int at = 0;
    for (const std::string& line : lines()) {
      requests.push_back(*parse_line(line));
      const bool fails = is_strided(requests.back()) != (++at % but_one_in == 0);
      (fails ? failures : passes).push_back(&requests.back());
    }
    KnownTraits known;
    EXPECT_EQ(conditions_of(failures, passes, known).where, Strings{});
    return tendency_of(failures, passes, known);
  };
  const auto steps = [](const Request& request) { return request.out_strides == Strides{-3}; };
  const Tendency most = tendency(7, steps);
  EXPECT_EQ(most.says, "a negative inner stride on either side");
  EXPECT_GT(most.failures, 3 * most.passes);
  EXPECT_EQ(tendency(2, steps).says, "");  // by chance
}

bool has(const std::string& line, const std::string& trait) {
  return has_trait(words_about(*parse_line(line)), trait);
}

// The bounds of one request, by their words, and what they cost.
std::map<std::string, double> bounds_of(const std::string& line) {
  std::map<std::string, double> all;
  for (const Bound& bound : Ranges(measures_of(*parse_line(line))).bounds()) {
    all[bound.trait.says] = bound.trait.cost;
  }
  return all;
}

// There are many remainders, so some fit by coincidence and cost more; traits of one side name that
// side.
TEST(RequestTraits, CostWhatTheyAreLikelyToFit) {
  const auto cost_of = [](std::string_view says) {
    const std::vector<Trait> traits = traits_of(
        *parse_line("openvino-reshape-1 f32[2,6] i64[12] special_zero=true strides=[8,1]"));
    const auto found = std::ranges::find(traits, says, &Trait::says);
    return found == traits.end() ? -1 : found->cost;
  };
  EXPECT_EQ(cost_of("data of f32"), 0);
  EXPECT_EQ(cost_of("strides on either side"), 0.1);
  EXPECT_EQ(cost_of("a number of elements that is a multiple of 4"), 0.5);
  EXPECT_EQ(cost_of("a number of elements that is 4 more than a multiple of 8"), 0.5);
}

TEST(Ranges, AreToldOfOneInTheSingular) {
  const auto all = bounds_of("openvino-reshape-1 f32[7] i64[7] special_zero=true");
  for (const char* says : {"1 pattern value or more", "an output that collapses to 1 axis or fewer",
                           "7 elements or fewer"}) {
    EXPECT_TRUE(all.contains(says)) << says;
  }
}

// A value that is read wrongly from some index on.
TEST(Ranges, TellWhereTheLargestPatternValueStands) {
  const auto third = bounds_of("onnx-reshape-19 f32[0] i64[0,-1,9223372036854775807,1]");
  EXPECT_TRUE(third.contains("the largest pattern value at axis 2 or behind"));
  EXPECT_TRUE(third.contains("the largest pattern value at axis 2 or before"));
  for (const auto& [says, cost] : bounds_of("onnx-reshape-19 f32[] i64[]")) {
    EXPECT_EQ(says.find("largest pattern value"), std::string::npos) << says;
  }
}

TEST(Ranges, TellNothingThatHoldsOfEachRequest) {
  const auto all = bounds_of("onnx-reshape-19 f32[9223372036854775807] i64[-1] shape_only=true");
  EXPECT_TRUE(all.contains("a largest size of 9223372036854775807 or more"));
  EXPECT_FALSE(all.contains("a largest size of 9223372036854775807 or less"));
  EXPECT_FALSE(all.contains("at least 0 times a 0 in the pattern"));
}

TEST(Ranges, CostMoreWhereNobodyWouldChooseTheBound) {
  const auto some = bounds_of("openvino-reshape-1 f32[16,11] i64[-5,176] special_zero=true");
  EXPECT_EQ(some.at("a largest size of 16 or more"), 0.3);
  EXPECT_EQ(some.at("176 elements or more"), 1.2);
  EXPECT_EQ(some.at("176 elements"), 0);
  EXPECT_EQ(some.at("a pattern value of -5 or less"), 0.3);
}

// Traits are computed once for each request, and belong to that request only.
TEST(KnownTraits, AreThoseOfTheRequest) {
  const Request one = *parse_line("openvino-reshape-1 f32[2,6] i64[12] special_zero=true");
  const Request other = *parse_line("openvino-reshape-1 f64[2,6] i64[12] special_zero=true");
  KnownTraits known;
  const KnownTraits::Of& of = known.of(one);
  static_cast<void>(known.of(other));
  EXPECT_EQ(&known.of(one), &of);
  std::set<std::string> says, right;
  for (const int number : of.traits) says.insert(known.trait(number).says);
  for (const Trait& trait : traits_of(one)) right.insert(trait.says);
  EXPECT_EQ(says, right);
  EXPECT_EQ(of.measures, measures_of(one));
}

// Such a stride is never used, so an implementation that mishandles negative strides passes.
TEST(RequestTraits, AreNotAboutStridesOfAxesOfOneElement) {
  EXPECT_TRUE(has("openvino-reshape-1 u8[2,6] i64[12] special_zero=true strides=[-6,1] offset=6",
                  "a negative stride of the data"));
  const char* one = "openvino-reshape-1 u8[1,6] i64[6] special_zero=true strides=[-6,1]";
  EXPECT_FALSE(has(one, "a negative stride of the data"));
  EXPECT_TRUE(has(one, "an axis of one element beside strides of the data"));
  EXPECT_FALSE(has("openvino-reshape-1 u8[2,6] i64[12] special_zero=true strides=[6,1]",
                   "an axis of one element beside strides of the data"));
}

TEST(RequestTraits, TellOfRunsThatBothSidesHave) {
  const char* gaps = "openvino-reshape-1 u8[78] i64[3,26] special_zero=true out_strides=[33,1]";
  EXPECT_TRUE(has(gaps, "an inner run that is 10 more than a multiple of 16"));
  EXPECT_FALSE(has(gaps, "an inner run that is a multiple of 16"));
  EXPECT_TRUE(has("openvino-reshape-1 u8[2,6] i64[12] special_zero=true strides=[8,1]",
                  "an inner run that is 2 more than a multiple of 4"));
  EXPECT_TRUE(has("openvino-reshape-1 u8[2,6] i64[12] special_zero=true",
                  "an inner run that is 4 more than a multiple of 8"));
  EXPECT_TRUE(has("openvino-reshape-1 f32[0] i64[4294967296,4294967296,0] special_zero=false",
                  "a size of 0 beside sizes that multiply to at least 2^63"));
}

// One side alone, in bytes: what a burst or a row of a transfer is.
TEST(RequestTraits, TellOfTheRunsOfOneSideInBytes) {
  const std::string kData = "runs of the data of a number of bytes that is";
  const std::string kOutput = "runs of the output of a number of bytes that is";
  const char* rows = "openvino-reshape-1 u16[4,10] i64[20,2] special_zero=true strides=[16,1]";
  EXPECT_TRUE(has(rows, kData + " 4 more than a multiple of 16"));
  EXPECT_TRUE(has(rows, kOutput + " a multiple of 16"));
  // Elements apart are runs of one, and the steps between them even so.
  const char* apart = "openvino-reshape-1 u16[40] i64[20,2] special_zero=true strides=[2]";
  EXPECT_TRUE(has(apart, kData + " 2 more than a multiple of 16"));
  EXPECT_TRUE(bounds_of(rows).contains("runs of the data of 20 bytes"));
  EXPECT_TRUE(bounds_of(rows).contains("strides of the data of 32 bytes or more"));
  EXPECT_TRUE(bounds_of(rows).contains("strides of the output of 2 bytes or more"));
  EXPECT_TRUE(bounds_of(rows).contains("strides of 32 bytes or more on either side"));
  EXPECT_TRUE(bounds_of(apart).contains("strides of the data of 4 bytes or more"));
  const char* back =
      "openvino-reshape-1 u16[4,10] i64[40] special_zero=true strides=[-100,1] offset=300";
  EXPECT_TRUE(bounds_of(back).contains("strides of the data of 200 bytes or more"));
}

// Where a shape alone is asked for, nothing lies anywhere: all sizes beyond were said to span
// 2^63-1 bytes.
TEST(RequestTraits, TellNothingOfWhatIsNotLaidOut) {
  for (const char* line : {"onnx-reshape-19 f32[9223372036854775806] i64[-1] shape_only=true",
                           "onnx-reshape-19 f32[6] i64[2,3] shape_only=true"}) {
    for (const auto& [says, cost] : bounds_of(line)) {
      EXPECT_EQ(says.find("bytes"), std::string::npos) << says;
    }
  }
}

TEST(RequestTraits, TellOfElementsOutOfOrderWithoutGaps) {
  constexpr const char* kEither = "elements out of their order and without gaps on either side";
  constexpr const char* kOuter =
      "elements out of their order and without gaps, but for the last axis that has several, on "
      "either side";
  for (const char* permuted : {"onnx-reshape-19 u8[3,2,4] i64[24] strides=[4,12,1]",
                               "onnx-reshape-19 u8[24] i64[3,2,4,1] out_strides=[4,12,1,9]"}) {
    EXPECT_TRUE(has(permuted, kEither)) << permuted;
    EXPECT_TRUE(has(permuted, kOuter)) << permuted;
  }
  EXPECT_TRUE(has("onnx-reshape-19 u8[3,4] i64[12] strides=[1,3]", kEither));
  EXPECT_FALSE(has("onnx-reshape-19 u8[3,4] i64[12] strides=[1,3]", kOuter));
  EXPECT_FALSE(has("onnx-reshape-19 u8[3,2,4] i64[24] strides=[5,15,1]", kEither));
  EXPECT_FALSE(has("onnx-reshape-19 u8[3,2,4] i64[24] strides=[8,4,1]", kEither));
  EXPECT_FALSE(has("onnx-reshape-19 u8[1,2,4] i64[8] strides=[99,4,1]", kEither));
}

TEST(RequestTraits, TellOfAxesThatLieAsOneButForASign) {
  constexpr const char* kBut = "strided axes that lie as one but for the sign of a stride";
  EXPECT_TRUE(has("onnx-reshape-19 u8[3,4] i64[12] strides=[-4,1] offset=8", kBut));
  EXPECT_TRUE(has("onnx-reshape-19 u8[12] i64[3,4] out_strides=[4,-1] out_offset=3", kBut));
  EXPECT_FALSE(has("onnx-reshape-19 u8[3,4] i64[12] strides=[-4,-1] offset=11", kBut));
  EXPECT_FALSE(has("onnx-reshape-19 u8[3,4] i64[12] strides=[-5,1] offset=10", kBut));
}

TEST(RequestTraits, TellOfRowsThatBeginAtAnOddPlace) {
  const char* gaps = "onnx-reshape-19 bf16[3,4,2] i64[3,4,2] strides=[20,4,1] out_strides=[19,4,1]";
  EXPECT_TRUE(has(gaps, "an odd stride between rows of the output"));
  EXPECT_TRUE(has(gaps, "even strides between rows of the data"));
  EXPECT_TRUE(has(gaps, "an odd stride between rows on either side"));
  EXPECT_FALSE(has(gaps, "an odd stride between rows on both sides"));
  EXPECT_FALSE(has("onnx-reshape-19 u8[3,3] i64[9]", "an odd stride between rows on either side"))
      << "one row";
  const auto halves = [](const char* strides) {
    return has(std::string("onnx-reshape-19 u4[4,2] i64[4,2] ") + strides,
               "rows of 4-bit elements that begin within a byte on both sides");
  };
  EXPECT_TRUE(halves("strides=[3,1] out_strides=[3,1]"));
  EXPECT_TRUE(halves("strides=[5,1] out_strides=[3,1]"));
  EXPECT_FALSE(halves("strides=[4,1] out_strides=[3,1]"));
}

TEST(RequestTraits, TellByWhichLoopsElementsAreCopied) {
  const auto copied = [](const char* request) {
    const std::string line = std::string("onnx-reshape-19 u8") + request;
    for (const char* how :
         {"elements copied in one run", "elements copied in rows", "elements copied in steps",
          "a transposition", "sizes of data and output that are cut across one another"}) {
      if (has(line, how)) return std::string(how);
    }
    return std::string();
  };
  EXPECT_EQ(copied("[3,4] i64[2,6]"), "elements copied in one run");
  EXPECT_EQ(copied("[3,4] i64[12] strides=[6,1]"), "elements copied in rows");
  EXPECT_EQ(copied("[3,4] i64[12] strides=[0,1]"), "elements copied in rows");
  EXPECT_EQ(copied("[3,4] i64[12] strides=[1,0]"), "elements copied in steps");
  EXPECT_EQ(copied("[12] i64[12] out_strides=[2]"), "elements copied in steps");
  EXPECT_EQ(copied("[3,4] i64[12] strides=[-4,-1] offset=11"), "elements copied in steps");
  EXPECT_EQ(copied("[2,3] i64[3,2] strides=[4,1] out_strides=[3,1]"),
            "sizes of data and output that are cut across one another");
  const char* turned = "onnx-reshape-19 u8[5,3,4] i64[5,12] strides=[12,1,3] out_strides=[16,1]";
  EXPECT_TRUE(has(turned, "a transposition"));
  EXPECT_TRUE(has(turned, "a transposition of rows of a length that is no multiple of 2"));
  EXPECT_TRUE(has(turned, "a transposition into rows of a length that is a multiple of 4"));
  for (const char* says :
       {"a transposition of rows of 3 elements", "a transposition into rows of 4 elements",
        "elements copied by 3 nested loops"}) {
    EXPECT_TRUE(bounds_of(turned).contains(says)) << says;
  }
}

// 3 elements of 4 bits are no 2 bytes.
TEST(RequestTraits, TellOfRunsOf4BitElements) {
  const auto all = bounds_of("onnx-reshape-19 u4[4,3] i64[12] strides=[5,1]");
  EXPECT_TRUE(all.contains("runs of the data of 3 4-bit elements"));
  for (const auto& [says, cost] : all) {
    EXPECT_EQ(says.find("runs of the data of 2 bytes"), std::string::npos) << says;
    EXPECT_EQ(says.find("a longest stride of the data of 3 bytes"), std::string::npos) << says;
  }
  EXPECT_TRUE(all.contains("runs of the output of 6 bytes"));
}

TEST(RequestTraits, TellOfKnownSizesThatDivideInSoManyBits) {
  const char* in64 =
      "known pattern values whose product in 64 bits divides that of the data's sizes";
  const char* in32 =
      "known pattern values whose product in 32 bits divides that of the data's sizes";
  EXPECT_FALSE(has("onnx-reshape-19 u8[6] i64[4294967296,-1,4294967296,3]", in64));
  EXPECT_TRUE(has("onnx-reshape-19 u8[6] i64[4294967299,-1]", in32));
  EXPECT_FALSE(has("onnx-reshape-19 u8[6] i64[4294967299,-1]", in64));
  EXPECT_TRUE(has("onnx-reshape-19 u8[90] i64[41084062524965594,-1,449]", in64));
  EXPECT_FALSE(has("onnx-reshape-19 u8[6] i64[4,-1]", in64));
}

// What is equal in 64 bits is so in 32.
TEST(RequestTraits, OfMoreBitsGoBeforeThoseOfFewer) {
  const std::vector<Trait> traits =
      traits_of(*parse_line("stablehlo-reshape u8[90] i64[41084062524965594,449]"));
  const auto cost_of = [&](const char* says) {
    return std::ranges::find(traits, says, &Trait::says)->cost;
  };
  EXPECT_LT(cost_of("pattern values whose product in 64 bits is that of the data's sizes"),
            cost_of("pattern values whose product in 32 bits is that of the data's sizes"));
}

TEST(RequestTraits, TellOfProductsThatAreRightInSoManyBits) {
  const char* in64 = "pattern values whose product in 64 bits is that of the data's sizes";
  const char* in32 = "pattern values whose product in 32 bits is that of the data's sizes";
  EXPECT_TRUE(has("stablehlo-reshape u8[90] i64[41084062524965594,449]", in64));
  EXPECT_TRUE(has("stablehlo-reshape u8[6] i64[-2,-3]", in64));
  EXPECT_TRUE(has("stablehlo-reshape f32[4294967296,4294967296] i64[0] shape_only=true", in64));
  EXPECT_FALSE(has("stablehlo-reshape u8[6] i64[65536,65542] shape_only=true", in64));
  EXPECT_FALSE(has("stablehlo-reshape u8[6] i64[-2,3]", in32));
  EXPECT_TRUE(has("stablehlo-reshape u8[65536,65537] i64[65536] shape_only=true", in32));
  EXPECT_TRUE(has("openvino-reshape-1 u8[6,4294967296] i64[6,0] special_zero=true", in64));
}

TEST(RequestTraits, TellWhatAZeroCopiesAndWhereAnInferredSizeStands) {
  constexpr const char* kBehind = "a size above 1 that a 0 copies behind the -1";
  EXPECT_TRUE(has("onnx-reshape-19 f32[2,3] i64[-1,0]", kBehind));
  EXPECT_FALSE(has("onnx-reshape-19 f32[2,1] i64[-1,0]", kBehind));
  EXPECT_FALSE(has("onnx-reshape-19 f32[2,3] i64[0,-1]", kBehind));
  EXPECT_TRUE(has("onnx-reshape-19 f32[2,3] i64[0,-1]", "a size above 1 that a 0 copies"));
  EXPECT_FALSE(has("onnx-reshape-19 f32[1,3] i64[0,-1]", "a size above 1 that a 0 copies"));
  constexpr const char* kLast = "a -1 as the last pattern value";
  EXPECT_TRUE(has("onnx-reshape-19 f32[2,3] i64[2,-1]", kLast));
  EXPECT_FALSE(has("onnx-reshape-19 f32[2,3] i64[-1,3]", kLast));
  constexpr const char* kOdd = "the first -1 of a 4-bit pattern at an odd axis";
  EXPECT_TRUE(has("openvino-reshape-1 f32[2,3] i4[2,-1] special_zero=true", kOdd));
  EXPECT_FALSE(has("openvino-reshape-1 f32[2,3] i4[-1,3] special_zero=true", kOdd));
  EXPECT_FALSE(has("openvino-reshape-1 f32[2,3] i64[2,-1] special_zero=true", kOdd));
}

TEST(RequestTraits, TellOfALastAxisOfSizeOne) {
  constexpr const char* kOfTheOutput = "a last axis of size 1 of the output";
  EXPECT_TRUE(has("onnx-reshape-19 f32[6] i64[6,1]", kOfTheOutput));
  EXPECT_FALSE(has("onnx-reshape-19 f32[6] i64[1,6]", kOfTheOutput));
  EXPECT_FALSE(has("onnx-reshape-19 f32[1] i64[1]", kOfTheOutput));
  EXPECT_TRUE(has("onnx-reshape-19 f32[6,1] i64[6]", "a last axis of size 1"));
  EXPECT_FALSE(has("onnx-reshape-19 f32[1,6] i64[6]", "a last axis of size 1"));
  constexpr const char* kEither = "a last axis of size 1 on either side";
  EXPECT_TRUE(has("onnx-reshape-19 f32[6] i64[6,1]", kEither));
  EXPECT_TRUE(has("onnx-reshape-19 f32[6,1] i64[6]", kEither));
  EXPECT_FALSE(has("onnx-reshape-19 f32[6] i64[1,6]", kEither));
}

TEST(RequestTraits, TellOfTheFormOfThePatternsTensor) {
  constexpr const char* kRow = "onnx-reshape-19 f32[6] i64[2,3] pattern_shape=[1,2]";
  EXPECT_TRUE(has(kRow, "a pattern tensor of rank 2"));
  EXPECT_TRUE(has(kRow, "a pattern tensor of one row"));
  EXPECT_FALSE(has(kRow, "a pattern tensor of one column"));
  EXPECT_TRUE(
      has("onnx-reshape-19 f32[6] i64[2,3] pattern_shape=[2,1]", "a pattern tensor of one column"));
  EXPECT_TRUE(
      has("onnx-reshape-19 f32[] i64[] pattern_shape=[3,0]", "a pattern tensor without values"));
  EXPECT_TRUE(has("onnx-reshape-19 f32[6] i64[6] pattern_shape=[]", "a pattern tensor of rank 0"));
  EXPECT_FALSE(has("onnx-reshape-19 f32[6] i64[6]", "a pattern tensor of one row"));
}

TEST(RequestTraits, TellWhatALoopOverRowsLeavesOver) {
  constexpr const char* kRest = "a number of rows of the data that is 3 more than a multiple of 4";
  EXPECT_TRUE(has("onnx-reshape-19 f32[7,9] i64[63] strides=[10,1]", kRest));
  EXPECT_FALSE(has("onnx-reshape-19 f32[7,9] i64[63]", kRest));  // one row
  EXPECT_FALSE(has("onnx-reshape-19 f32[8,9] i64[72] strides=[10,1]", kRest));
}

TEST(RequestTraits, ReadAZeroAsItsDocumentDoes) {
  EXPECT_TRUE(
      has("onnx-reshape-19 f32[2,3] i64[0,3]", "sizes that multiply to as much as the data has"));
  EXPECT_TRUE(has("onnx-reshape-19 f32[2,3] i64[0,3] allowzero=1", "a size of 0 asked for"));
  EXPECT_TRUE(has("onnx-reshape-19 f32[2,3] i64[-1,0]", "a 0 behind the -1"));
  EXPECT_TRUE(has("onnx-reshape-19 f32[2,3] i64[-1,7]",
                  "known sizes that multiply to more than the data has"));
}

// Which of them fail hangs on something else.
TEST(Conditions, WhatHalfOfThePassesHaveIsNone) {
  const Strings all = lines();
  std::deque<Request> requests;
  std::vector<const Request*> failures, passes;
  for (std::size_t at = 0; at < all.size(); ++at) {
    const Request& one = requests.emplace_back(*parse_line(all[at]));
    if (one.data_type == ElementType::u8) (at % 2 == 0 ? failures : passes).push_back(&one);
    if (one.data_type == ElementType::f32 && one.data[0] == 1) passes.push_back(&one);
  }
  KnownTraits known;
  EXPECT_EQ(conditions_of(failures, passes, known).where, Strings{});
}

TEST(Conditions, KnowWhatOfThePatternIsTheDatasSizes) {
  const auto has_in = [](const std::string& sizes, const std::string& trait) {
    return has("openvino-reshape-1 " + sizes + " special_zero=true", trait);
  };
  const std::string kHalf = "the data's sizes as the first half of the pattern";
  EXPECT_TRUE(has_in("f32[2,3,4] i64[2,3,2,2]", kHalf));
  EXPECT_FALSE(has_in("f32[2,3,4] i64[2,4,3]", kHalf));
  EXPECT_TRUE(has_in("f32[2,3,4] i64[2,4,3]", "the data's first size as the first pattern value"));
  EXPECT_TRUE(has_in("f32[2,3,4] i64[2,3,-1]", kHalf + ", and another behind it"));
  EXPECT_FALSE(has_in("f32[2,3] i64[2,3]", kHalf + ", and another behind it"));
  EXPECT_TRUE(has_in("f32[2,3] i64[2,3]", "the data's sizes as the pattern"));
  EXPECT_FALSE(has_in("f32[2,3] i64[2,-1]", "the data's sizes as the pattern"));
}

}  // namespace
}  // namespace reshape::conformance
