#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

std::string error(std::string_view text_form) {
  const Result<Ruling> ruling = parse_ruling(text_form);
  return ruling ? "parsed" : ruling.error().text();
}

TEST(ParseRuling, ReadsTheThreeAnswers) {
  EXPECT_EQ(*parse_ruling("produces [2,150,4]"), Ruling::produces({2, 150, 4}));
  EXPECT_EQ(*parse_ruling("produces []"), Ruling::produces({}));
  EXPECT_EQ(*parse_ruling("rejects minus-one.once"), Ruling::rejects("minus-one.once"));
  EXPECT_EQ(
      *parse_ruling("unspecified minus-one.beside-copied-zero permits rejects | "
                    "produces [0,*] | produces [0,3]"),
      Ruling::unspecified("minus-one.beside-copied-zero", true, {{{0, std::nullopt}}, {{0, 3}}}));
  EXPECT_EQ(*parse_ruling("  unspecified  x  permits  produces [ * ]  "),
            Ruling::unspecified("x", false, {{{std::nullopt}}}));
}

TEST(ParseRuling, ErrorsNameTheColumn) {
  EXPECT_EQ(error(""),
            "column 1: expected produces, rejects or unspecified, not the end of the line");
  EXPECT_EQ(error("accepts [2]"),
            "column 1: expected produces, rejects or unspecified, not \"accepts\"");
  EXPECT_EQ(error("produces [2,*]"), "column 13: expected a size, not \"*\"");
  EXPECT_EQ(error("produces [-1]"), "column 11: a size is 0 to 9223372036854775807, not -1");
  EXPECT_EQ(error("produces [2] [3]"), "column 14: expected nothing more, not \"[3\"");
  EXPECT_EQ(error("rejects"), "column 8: expected a clause, not the end of the line");
  EXPECT_EQ(error("unspecified x"), "column 14: expected permits, not the end of the line");
  EXPECT_EQ(error("unspecified x allows rejects"), "column 15: expected permits, not \"allows\"");
  EXPECT_EQ(error("unspecified x permits rejects | rejects"),
            "column 33: rejects is permitted twice");
  EXPECT_EQ(error("unspecified x permits rejects | accepts"),
            "column 33: expected rejects or produces, not \"accepts\"");
  EXPECT_EQ(error("unspecified x permits rejects |"),
            "column 32: expected rejects or produces, not the end of the line");
}

rc::Gen<Ruling> any_ruling() {
  return rc::gen::exec([] {
    const auto size = [] {
      return *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 100),
                             rc::gen::just(std::numeric_limits<std::int64_t>::max()));
    };
    const auto clause = *rc::gen::element<std::string>("minus-one.once", "zero.past-rank", "a");
    switch (*rc::gen::inRange(0, 3)) {
      case 0: {
        Shape shape;
        for (int rank = *rc::gen::inRange(0, 5); rank > 0; --rank) shape.append(size());
        return Ruling::produces(shape);
      }
      case 1: return Ruling::rejects(clause);
    }
    std::vector<PermittedShape> permitted;
    for (int shapes = *rc::gen::inRange(0, 3); shapes > 0; --shapes) {
      PermittedShape& shape = permitted.emplace_back();
      for (int rank = *rc::gen::inRange(0, 5); rank > 0; --rank) {
        shape.sizes.push_back(*rc::gen::arbitrary<bool>() ? std::optional(size()) : std::nullopt);
      }
    }
    const bool may_reject = permitted.empty() || *rc::gen::arbitrary<bool>();
    return Ruling::unspecified(clause, may_reject, permitted);
  });
}

RC_GTEST_PROP(ParseRuling, IsTheInverseOfText, ()) {
  const Ruling ruling = *any_ruling();
  const Result<Ruling> again = parse_ruling(text(ruling));
  RC_ASSERT(again.ok());
  RC_ASSERT(*again == ruling);
}

}  // namespace
}  // namespace reshape::conformance
