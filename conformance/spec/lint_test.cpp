#include "conformance/spec/lint.h"

#include <gtest/gtest.h>

#include "conformance/spec/load.h"
#include "conformance/spec/names.h"
#include "conformance/spec/small_specs.h"

namespace reshape::conformance {
namespace {

std::string problems(const std::vector<SpecFile>& files) {
  std::string all;
  for (const Error& problem : lint(files, "specs").problems) all += problem.text() + '\n';
  return all;
}

std::string in_cases(const std::string& from, const std::string& to) {
  return problems(spoiled(kSmallCases, from, to));
}

TEST(Lint, CountsWhatItRead) {
  const LintReport report = lint(small_specs(), "specs");
  EXPECT_EQ(report.documents, 1u);
  EXPECT_EQ(report.cases, 8u);
  EXPECT_EQ(problems(small_specs()), "");
}

TEST(Lint, EveryProblemIsReportedNotOnlyTheFirst) {
  std::vector<SpecFile> files = spoiled(kSmallCases, "two:", "Two:");
  files[2].text.replace(files[2].text.find("level: must"), 11, "level: odd ");
  files[3].text = "suite: other\nversion: 1\n";
  EXPECT_EQ(problems(files),
            "specs/suite.yaml:1: suite is reshape-conformance\n"
            "specs/dialects/small-reshape.yaml:25: level is must, should, may, derived or silent, "
            "not \"odd\"\n"
            "specs/cases/small.yaml:7: " +
                no_name("an id", "Two") + '\n');
}

TEST(Lint, TheRulesAgreeWithEveryExpectation) {
  EXPECT_EQ(in_cases("produces [3,2]", "produces [2,3]"),
            "specs/cases/small.yaml:4: small-reshape/infers: the case expects \"produces [2,3]\" "
            "and the rules answer \"produces [3,2]\"\n");
  EXPECT_EQ(in_cases("permits rejects | produces [0,*]", "permits rejects"),
            "specs/cases/small.yaml:12: small-reshape/open: the case expects \"unspecified "
            "minus-one.beside-copied-zero permits rejects\" and the rules answer \"unspecified "
            "minus-one.beside-copied-zero permits rejects | produces [0,*]\"\n");
}

TEST(Lint, ACaseIsAskedOfADocument) {
  const std::string unasked =
      "past is asked of no document: none can express it and has a clause that answers so, or all "
      "were asked it before\n";
  EXPECT_EQ(in_cases("f32[6] P[6,0]", "u4[6] P[6,0]"), "specs/cases/small.yaml:17: " + unasked);
  EXPECT_EQ(in_cases("rejects zero.past-rank", "rejects data.type-open"),
            "specs/cases/small.yaml:17: " + unasked);
  // A sweep may be cut to the types of a document.
  EXPECT_EQ(in_cases("past: {ask: \"f32[6]", "past: {T: [u4, f32], ask: \"$T[6]"), "");
}

// Without this check, a document that omits the clause would pass and silently lose cases.
TEST(Lint, AClauseThatIsNeededIsNotLeftOut) {
  const auto needing = [](const std::string& needed) {
    return problems(
        spoiled("clauses.yaml", "output.type:\n", "output.type:\n  needed: " + needed + '\n'));
  };
  EXPECT_EQ(needing("always"),
            "specs/dialects/small-reshape.yaml:1: clauses lacks output.type, which every document "
            "needs\n");
  EXPECT_EQ(needing("[zero=copies, minus_one=inferred]"),
            "specs/dialects/small-reshape.yaml:1: clauses lacks output.type, which a document with "
            "minus_one=inferred needs\n");
  EXPECT_EQ(needing("[minus_one=rejects]"), "");
  EXPECT_NE(needing("[minus_one=maybe]").find("the answers to minus_one are inferred, rejects"),
            std::string::npos);
  EXPECT_NE(needing("sometimes").find("needed is always, or a list of answers of the rules"),
            std::string::npos);
  EXPECT_EQ(problems(spoiled(kSmallDocument, "data_types: [f32, i8]\n",
                             "data_types: [f32, i8]\n  data_types_unspecified: [u8]\n")),
            "specs/dialects/small-reshape.yaml:1: clauses lacks data.type-open, which a document "
            "with data_types_unspecified needs\n");
}

TEST(Lint, TheBuiltInSuiteIsClean) {
  const LintReport report = lint(built_in_suite(), "specs");
  EXPECT_GT(report.cases, 0u);
  for (const Error& problem : report.problems) ADD_FAILURE() << problem.text();
}

}  // namespace
}  // namespace reshape::conformance
