#include "conformance/spec/lint.h"

#include <gtest/gtest.h>

#include "conformance/spec/load.h"
#include "conformance/spec/small_specs.h"

namespace reshape::conformance {
namespace {

std::string problems(const std::vector<SpecFile>& files) {
  std::string all;
  for (const Error& problem : lint(files, "specs").problems) all += problem.text() + '\n';
  return all;
}

std::string in_cases(const std::string& from, const std::string& to) {
  return problems(spoiled("small-reshape/cases.yaml", from, to));
}

TEST(Lint, CountsWhatItRead) {
  const LintReport report = lint(small_specs(), "specs");
  EXPECT_EQ(report.documents, 1u);
  EXPECT_EQ(report.cases, 4u);
  EXPECT_EQ(problems(small_specs()), "");
}

TEST(Lint, EveryProblemIsReportedNotOnlyTheFirst) {
  std::vector<SpecFile> files = spoiled("small-reshape/cases.yaml", "kind: document", "kind: x");
  files[1].text.replace(files[1].text.find("level: must"), 11, "level: odd ");
  files[2].text = "suite: other\nversion: 1\n";
  EXPECT_EQ(problems(files),
            "specs/suite.yaml:1: suite is reshape-conformance\n"
            "specs/small-reshape/document.yaml:22: level is must, should, may, derived or silent, "
            "not \"odd\"\n"
            "specs/small-reshape/cases.yaml:4: kind is published example, document, derived or "
            "public issue\n");
}

TEST(Lint, TheRulesAgreeWithEveryExpectation) {
  EXPECT_EQ(in_cases("produces [3,2]", "produces [2,3]"),
            "specs/small-reshape/cases.yaml:2: small-reshape/infers: the case expects \"produces "
            "[2,3]\" and the rules answer \"produces [3,2]\"\n");
  EXPECT_EQ(in_cases("permits rejects | produces [0,*]", "permits rejects"),
            "specs/small-reshape/cases.yaml:18: small-reshape/open: the case expects \"unspecified "
            "minus-one.beside-copied-zero permits rejects\" and the rules answer \"unspecified "
            "minus-one.beside-copied-zero permits rejects | produces [0,*]\"\n");
}

TEST(Lint, ARequestStandsOnceInADialect) {
  EXPECT_EQ(in_cases("f32[2,3] i64[-1,-1] special_zero=true\n    expect: rejects minus-one.once",
                     "  f32[2,3]  i64[3,-1] special_zero=true\n    expect: produces [3,2]"),
            "specs/small-reshape/cases.yaml:8: small-reshape/two: asks the same as "
            "small-reshape/infers (specs/small-reshape/cases.yaml:2)\n");
}

TEST(Lint, WrittenOutElementsComeOutAsTheyWentIn) {
  const std::string request = "request: i8[2] i64[2] special_zero=true elements=[-1,2]\n";
  const auto with = [&](const std::string& elements) {
    return in_cases("request: f32[2,3] i64[3,-1] special_zero=true\n    expect: produces [3,2]",
                    request + "    elements: " + elements + "\n    expect: produces [2]");
  };
  EXPECT_EQ(with("[-1, 2]"), "");
  EXPECT_EQ(with("[2, -1]"),
            "specs/small-reshape/cases.yaml:2: small-reshape/infers: the expected elements are not "
            "those of the request in the same order\n");
  EXPECT_EQ(with("[-1]"),
            "specs/small-reshape/cases.yaml:2: small-reshape/infers: 1 elements are expected of 2\n"
            "specs/small-reshape/cases.yaml:2: small-reshape/infers: the expected elements are not "
            "those of the request in the same order\n");
  EXPECT_EQ(with("[300, 2]"), "specs/small-reshape/cases.yaml:6: elements, 300 does not fit i8\n");
}

TEST(Lint, TheBuiltInSuiteIsClean) {
  const LintReport report = lint(built_in_suite(), "specs");
  EXPECT_GT(report.cases, 0u);
  for (const Error& problem : report.problems) ADD_FAILURE() << problem.text();
}

}  // namespace
}  // namespace reshape::conformance
