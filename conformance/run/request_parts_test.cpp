#include "conformance/run/request_parts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using Strings = std::vector<std::string>;

Request request(const std::string& words) {
  return *parse_line("openvino-reshape-1 " + words + " special_zero=true");
}

const auto kNever = [] { return false; };

const Request kFailing = request("f32[4,6] i64[24] strides=[1,4]");
const Request kBefore = request("u8[2,3] i32[6]");

TEST(RequestParts, AreNamedWhereTheyDiffer) {
  EXPECT_EQ(differing_parts(kFailing, kFailing), Strings{});
  EXPECT_EQ(differing_parts(kFailing, kBefore),
            (Strings{"the elements' type", "the data's shape", "the pattern's values",
                     "the pattern's type", "the data's strides"}));
  EXPECT_EQ(how_alike(kFailing, kFailing), "that is the same");
  EXPECT_EQ(how_alike(kFailing, request("f64[4,6] i32[24] strides=[1,4]")),
            "that differs from it only in the elements' type and the pattern's type");
  EXPECT_EQ(how_alike(kFailing, kBefore), "");
}

TEST(MadeAlike, LeavesWhatIsConfused) {
  // As of a cache whose key lacks the strides.
  const Request found = made_alike(
      kBefore, kFailing, [](const Request& one) { return one.strides != kFailing.strides; },
      kNever);
  EXPECT_EQ(differing_parts(found, kFailing), Strings{"the data's strides"});
}

TEST(MadeAlike, IsTheSameWhereAnyRequestDoes) {
  EXPECT_EQ(made_alike(kBefore, kFailing, [](const Request&) { return true; }, kNever), kFailing);
}

TEST(MadeAlike, CopiesPartByPartWhereSeveralMatter) {
  const Request found = made_alike(
      kBefore, kFailing,
      [](const Request& one) {
        return one.data_type != kFailing.data_type && one.pattern.type != kFailing.pattern.type;
      },
      kNever);
  // The strides of the data cannot be copied before its shape.
  EXPECT_EQ(differing_parts(found, kFailing),
            (Strings{"the elements' type", "the pattern's type"}));
}

TEST(MadeAlike, AsksOnlyWhatCanBeAskedAndEnds) {
  const Request three_axes = request("f32[2,3,4] i64[24]");
  const auto holds = [](const Request& one) {
    EXPECT_TRUE(!one.strides || one.strides->size() == one.data.rank());
    return one.data.rank() == 3;
  };
  EXPECT_EQ(made_alike(three_axes, kFailing, holds, kNever).data, three_axes.data);
  int asked = 0;
  made_alike(
      kBefore, kFailing, [&](const Request&) { return ++asked > 100; }, [&] { return asked >= 2; });
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace reshape::conformance
