#include "conformance/spec/check_case.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "conformance/spec/read_suite.h"
#include "conformance/spec/small_specs.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

std::string first_problem(const std::string& request, const std::string& expect,
                          PatternSource given_as = PatternSource::tensor) {
  Document document = read_suite(small_specs(), "specs").suite.documents.at(0);
  document.dialect.pattern_given_as = given_as;
  Case one = document.cases[0];
  const Result<Request> parsed = parse_line(request, "small-reshape");
  EXPECT_TRUE(parsed.ok()) << parsed.error().text();
  one.request = *parsed;
  one.expect = *parse_ruling(expect);
  one.clauses.push_back("minus-one.beside-copied-zero");
  const std::vector<std::string> problems = problems_of(one, document);
  return problems.empty() ? "" : problems.front();
}

TEST(CheckCase, ExecutedCasesAreSmall) {
  const std::string data = "the data takes more than 160 MiB: such a case is shape_only=true";
  EXPECT_EQ(first_problem("f32[41943040] i64[-1]", "produces [41943040]"), "");
  EXPECT_EQ(first_problem("f32[41943041] i64[-1]", "produces [41943041]"), data);
  EXPECT_EQ(first_problem("f32[41943041] i64[-1] shape_only=true", "produces [41943041]"), "");
  EXPECT_EQ(first_problem("i4[335544320] i64[-1]", "produces [335544320]"), "");
  EXPECT_EQ(first_problem("i4[335544321] i64[-1]", "produces [335544321]"), data);
  EXPECT_EQ(first_problem("i8[65] i64[65] strides=[2621439]", "produces [65]"), "");
  EXPECT_EQ(first_problem("i8[65] i64[65] strides=[2621440]", "produces [65]"), data);
  EXPECT_EQ(first_problem("i8[65] i64[65] offset=167772160", "produces [65]"), data);
  EXPECT_EQ(
      first_problem("i8[9223372036854775807,9223372036854775807] i64[2]", "rejects volume.kept"),
      data);
  EXPECT_EQ(first_problem("i8[0,9223372036854775807] i64[0]", "produces [0]"), "");
  EXPECT_EQ(first_problem("i8[65] i64[65] out_strides=[2621440]", "produces [65]"),
            "the output takes more than 160 MiB: such a case is shape_only=true");
}

TEST(CheckCase, FewElementsMayLieFarApart) {
  EXPECT_EQ(first_problem("i8[2] i64[2] strides=[8589934591]", "produces [2]"), "");
  EXPECT_EQ(first_problem("i8[2] i64[2] strides=[8589934592]", "produces [2]"),
            "the data takes more than 160 MiB: such a case is shape_only=true");
  EXPECT_EQ(first_problem("i8[64] i64[64] out_strides=[134217728]", "produces [64]"), "");
}

TEST(CheckCase, OutputsDoNotOverlapAndStayInTheirBuffer) {
  EXPECT_EQ(first_problem("i8[2,2] i64[2,2] out_strides=[1,1]", "produces [2,2]"),
            "out_strides let elements of the output [2,2] overlap");
  EXPECT_EQ(first_problem("i8[2,2] i64[2,2] out_strides=[-2,1]", "produces [2,2]"),
            "out_strides reach elements before the start of the buffer");
  EXPECT_EQ(first_problem("i8[2,2] i64[2,2] out_strides=[-2,1] out_offset=2", "produces [2,2]"),
            "");
  EXPECT_EQ(first_problem("i8[2,2] i64[2,2] pattern_shape=[2,1] out_strides=[2,1]", "produces [4]"),
            "out_strides do not fit the output [4]");
  EXPECT_EQ(first_problem("i8[2,2] i64[2,2] out_strides=[0,0]",
                          "unspecified minus-one.beside-copied-zero permits produces [2,2]"),
            "out_strides let elements of the output [2,2] overlap");
}

TEST(CheckCase, WordsMustMakeSense) {
  EXPECT_EQ(
      first_problem("i8[2] i64[2] pattern_shape=[1]", "produces [2]", PatternSource::attribute),
      "pattern_shape is for patterns that are tensors, and this document's is an attribute");
  EXPECT_EQ(first_problem("i8[2] i64[2] shape_only=true payload=hard", "produces [2]"),
            "shape_only=true asks for no bytes: no elements, payload or in_place");
}

TEST(CheckCase, ExpectedElementsAnswerGivenOnes) {
  const Document document = read_suite(small_specs(), "specs").suite.documents.at(0);
  Case one = document.cases[0];
  one.expect_elements = {{1, 2}};
  EXPECT_EQ(problems_of(one, document).at(0),
            "elements are expected where the request has none (elements=[..])");
  one.request.elements = {{1, 2, 3}};
  EXPECT_EQ(problems_of(one, document).at(0), "2 elements are expected of 3");
  one.expect_elements = {{1, 2, 3}};
  EXPECT_TRUE(problems_of(one, document).empty());
  one.expect = Ruling::rejects("volume.kept");
  EXPECT_EQ(problems_of(one, document).at(0), "elements are expected of a request that is refused");
}

TEST(CheckCase, AClauseIsNamedOnce) {
  const Document document = read_suite(small_specs(), "specs").suite.documents.at(0);
  Case one = document.cases[0];
  one.clauses = {"volume.kept", "volume.kept"};
  EXPECT_EQ(problems_of(one, document).at(0), "the clause volume.kept is named twice");
}

}  // namespace
}  // namespace reshape::conformance
