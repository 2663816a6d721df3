#include "conformance/spec/read_suite.h"

#include <gtest/gtest.h>

#include "conformance/spec/load.h"
#include "conformance/spec/names.h"
#include "conformance/spec/small_specs.h"
#include "conformance/text/line.h"
#include "conformance/text/testing/expect_in.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::conformance {
namespace {

// Every problem on a line of its own.
std::string problems(const std::vector<SpecFile>& files) {
  std::string all;
  for (const Error& problem : read_suite(files, "specs").problems) all += problem.text() + '\n';
  return all;
}

std::string in_cases(const std::string& from, const std::string& to) {
  return problems(spoiled(kSmallCases, from, to));
}

std::string in_document(const std::string& from, const std::string& to) {
  return problems(spoiled(kSmallDocument, from, to));
}

// The ids and lines of the small document's cases, once `from` is replaced.
std::string asked(const std::string& path, const std::string& from, const std::string& to) {
  const SuiteReading reading = read_suite(spoiled(path, from, to), "specs");
  declare_dialects({&reading.suite.documents.at(0).dialect, 1});
  std::string all;
  for (const Error& problem : reading.problems) all += problem.text() + '\n';
  for (const Case& one : reading.suite.documents.at(0).cases) {
    all += std::string(one.name()) + ": " + print_line(one.request) + '\n';
  }
  return all;
}

TEST(ReadSuite, ReadsDocumentsClausesAndCases) {
  const SuiteReading reading = read_suite(small_specs(), "specs");
  ASSERT_EQ(problems(small_specs()), "");
  EXPECT_EQ(reading.suite.version, "1.2.3");
  ASSERT_EQ(reading.suite.documents.size(), 1u);
  const Document& document = reading.suite.documents[0];
  EXPECT_EQ(document.dialect.name, "small-reshape");
  EXPECT_EQ(document.file, kSmallDocument);
  EXPECT_EQ(document.version, "1");
  EXPECT_EQ(document.dialect.data_types, (ElementTypes{ElementType::f32, ElementType::i8}));
  EXPECT_EQ(document.dialect.pattern_types, ElementTypes::integers());
  EXPECT_EQ(document.dialect.flag, (ZeroFlag{"plain_zero", "no", "yes"}));
  ASSERT_EQ(document.clauses.size(), 12u);
  // From the document, from clauses.yaml with the document's reason, and from clauses.yaml by
  // answer.
  EXPECT_EQ(document.clauses[1].says, "At most one -1.");
  EXPECT_EQ(document.clauses[2].level, Level::derived);
  EXPECT_EQ(document.clauses[2].because, "Elements neither appear nor disappear.");
  EXPECT_FALSE(document.clauses[2].says.empty());
  EXPECT_EQ(document.clause("zero.with-minus-one")->level, Level::must);
  EXPECT_TRUE(document.clause("zero.with-minus-one")->breakable);
  EXPECT_EQ(document.clause("volume.beyond-int64")->level, Level::silent);
  EXPECT_FALSE(document.clause("volume.beyond-int64")->breakable);
  ASSERT_EQ(document.cases.size(), 8u);
  const Case& one = document.cases[0];
  EXPECT_EQ(one.id, "small-reshape/infers");
  EXPECT_EQ(one.file, kSmallCases);
  EXPECT_EQ(one.line, 4);
  EXPECT_EQ(one.clauses.size(), 10u);
  EXPECT_EQ(one.source.section, "pattern");
  EXPECT_EQ(one.expect, Ruling::produces({3, 2}));
  EXPECT_EQ(document.cases[2].source.link, "https://example.org/1");
  EXPECT_EQ(document.cases[1].line, 7);
}

TEST(ReadSuite, ARequestIsWrittenInTheWordsOfItsDialect) {
  const Document document = read_suite(small_specs(), "specs").suite.documents.at(0);
  declare_dialects({&document.dialect, 1});
  const std::string line = "small-reshape f32[2,3] i64[3,-1] plain_zero=no";
  EXPECT_EQ(print_line(document.cases[0].request), line);
  EXPECT_EQ(*parse_line(line), document.cases[0].request);
  EXPECT_EQ(parse_line("small-reshape f32[2,3] i64[3,-1] plain_zero=true").error().text(),
            "column 45: plain_zero is no or yes, not \"true\"");
  EXPECT_FALSE(parse_line("small-reshape f32[2,3] i64[3,-1] special_zero=true").ok());
}

TEST(ReadSuite, AVariableBecomesACaseForEachValue) {
  const std::string infers =
      R"(infers: {ask: "f32[2,3] P[3,-1] special_zero=true", expect: "produces [3,2]"})";
  const auto first = [&](const std::string& sweep, std::size_t count) {
    std::string all = asked(kSmallCases, infers, sweep);
    std::size_t end = 0;
    for (; count > 0; --count) end = all.find('\n', end) + 1;
    return all.substr(0, end);
  };
  EXPECT_EQ(first(R"(x: {ask: "$T[$N] P[$N]", expect: "produces [$N]", T: both, N: [2, 5..7]})", 8),
            "x.f32.2: small-reshape f32[2] i64[2]\nx.f32.5: small-reshape f32[5] i64[5]\n"
            "x.f32.6: small-reshape f32[6] i64[6]\nx.f32.7: small-reshape f32[7] i64[7]\n"
            "x.i8.2: small-reshape i8[2] i64[2]\nx.i8.5: small-reshape i8[5] i64[5]\n"
            "x.i8.6: small-reshape i8[6] i64[6]\nx.i8.7: small-reshape i8[7] i64[7]\n");
  EXPECT_EQ(first(R"(x-$M-by-$N: {ask: "f32[$M,$N] P[$V] special_zero=$F", expect: "produces [$V]",
    F: [true, false], M N V: [2 3 6, 4 5 20]})",
                  4),
            "x-2-by-3.true: small-reshape f32[2,3] i64[6] plain_zero=no\n"
            "x-4-by-5.true: small-reshape f32[4,5] i64[20] plain_zero=no\n"
            "x-2-by-3.false: small-reshape f32[2,3] i64[6] plain_zero=yes\n"
            "x-4-by-5.false: small-reshape f32[4,5] i64[20] plain_zero=yes\n");
  EXPECT_EQ(first("x-$N:\n    - {ask: \"f32[$N] P[$N]\", expect: \"produces [$N]\", N: [2]}\n"
                  "    - {ask: \"i8[$N] P[$N]\", expect: \"produces [$N]\", N: [3]}",
                  2),
            "x-2: small-reshape f32[2] i64[2]\nx-3: small-reshape i8[3] i64[3]\n");
}

TEST(ReadSuite, RegressionsMayBeForOneDialectAlone) {
  std::vector<SpecFile> files = small_specs();
  files.push_back({"regressions/found.yaml",
                   "volume.kept:\n"
                   "  found-1:\n"
                   "    ask: small-reshape f32[2] i64[3] plain_zero=yes\n"
                   "    expect: rejects volume.kept\n"});
  const SuiteReading reading = read_suite(files, "specs");
  ASSERT_TRUE(reading.problems.empty()) << reading.problems[0].text();
  EXPECT_EQ(reading.suite.documents[0].cases[8].id, "small-reshape/found-1");
  files.back().text.replace(files.back().text.find("small-"), 6, "large-");
  EXPECT_EQ(problems(files),
            "specs/regressions/found.yaml:3: ask, column 29: unknown word "
            "\"plain_zero\"; known: special_zero pattern_shape strides offset "
            "out_strides out_offset payload elements shape_only in_place (in "
            "\"large-reshape f32[2] i64[3] plain_zero=yes\")\n");
}

TEST(ReadSuite, WrittenOutElementsAreExpectedToComeOut) {
  const Document document =
      read_suite(
          spoiled(kSmallCases, R"(P[4] special_zero=true", expect: rejects volume.kept)",
                  R"(P[6] special_zero=true elements=[1,2,3,4,5,6]", expect: "produces [6]")"),
          "specs")
          .suite.documents.at(0);
  EXPECT_EQ(document.cases[2].expect_elements, (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6}));
}

TEST(ReadSuite, ProblemsOfCasesNameFileAndLine) {
  const std::string at = "specs/cases/small.yaml:";
  EXPECT_EQ(in_cases("two: {ask", "two: {asks"),
            at + "7: a case needs the key \"ask\"\n" + at + "7: unknown key \"asks\" in a case\n");
  for (const char* name : {"Two", "-two", ".two", "_two"}) {
    EXPECT_EQ(in_cases("two:", name + std::string(":")),
              at + "7: " + no_name("an id", name) + '\n');
  }
  EXPECT_EQ(in_cases("two:", "2_t.w-o:"), "");
  EXPECT_EQ(in_cases("two: {ask: \"f32[2,3]", "two: {N: [4, 4], ask: \"f32[$N,3]"),
            at + "7: the id two.4 is made twice by this case\n");
  EXPECT_EQ(in_cases("two:", "infers:"),
            at + "7: the id infers is taken: specs/cases/small.yaml:4\n");
  EXPECT_EQ(in_cases("P[3,-1]", "P[3,-x]"),
            at + "4: ask, column 16: expected a pattern value, not \"-x\" (in \"f32[2,3] "
                 "i64[3,-x] special_zero=true\")\n");
  EXPECT_EQ(in_cases("produces [3,2]", "makes [3,2]"),
            at + "4: expect, column 1: expected produces, rejects or unspecified, not \"makes\"\n");
  EXPECT_EQ(in_cases(R"("f32[2,3] P[-1,-1] special_zero=true", expect: rejects minus-one.once)",
                     R"("  f32[2,3]  P[3,-1] special_zero=true", expect: "produces [3,2]")"),
            at + "7: two asks the same as infers (specs/cases/small.yaml:4)\n");
  EXPECT_EQ(
      in_cases("expect: rejects minus-one.once",
               "expect: rejects minus-one.once, except: {zero=sometimes: rejects volume.kept}"),
      at + "7: except, the answers to zero are by_flag, copies, literal\n");
  EXPECT_EQ(in_cases("expect: rejects minus-one.once",
                     "expect: rejects minus-one.once, except: {colour=red: rejects volume.kept}"),
            at + "7: except, the rules have no question colour\n");
  EXPECT_EQ(
      problems({small_specs()[1], small_specs()[2], small_specs()[3], {"cases/x.yaml", "[]"}}),
      "specs/cases/x.yaml:1: a file of cases maps clauses to the cases that bear on them\n");
}

// Such a file would take a name, and nothing would be asked for it.
TEST(ReadSuite, AFileOfCasesHasACase) {
  const auto beside_the_others = [](const std::string& text) {
    std::vector<SpecFile> files = small_specs();
    files.insert(files.begin(), {"cases/besides.yaml", text});
    return problems(files);
  };
  EXPECT_EQ(beside_the_others("# Nothing.\nasked: once\n"),
            "specs/cases/besides.yaml:2: a file of cases has a case besides asked\n");
  EXPECT_EQ(beside_the_others("asked: once\nvolume.kept:\n  none: []\n"),
            "specs/cases/besides.yaml:3: a list of cases has a case\n");
}

// Else a misspelt clause would take its case away, without a word.
TEST(ReadSuite, AClauseThatNobodyHasIsAProblem) {
  const std::string none = "neither a document nor clauses.yaml has a clause ";
  const std::string at = "specs/cases/small.yaml:";
  EXPECT_EQ(in_cases("expect: rejects minus-one.once", "expect: rejects minus-one.onc"),
            at + "7: expect, " + none + "minus-one.onc\n");
  EXPECT_EQ(in_cases("unspecified minus-one.beside", "unspecified minus-one.besid"),
            at + "12: expect, " + none + "minus-one.besid-copied-zero\n");
  EXPECT_EQ(in_cases("expect: rejects minus-one.once",
                     "expect: rejects minus-one.once, except: {small-*: rejects volume.keptt}"),
            at + "7: except, " + none + "volume.keptt\n");
  EXPECT_EQ(in_cases("\nvolume.kept:", "\nvolume.kept, volume.keptt:"),
            at + "8: " + none + "volume.keptt\n");
  // Clauses that another document would have.
  EXPECT_EQ(in_cases("\nvolume.kept:", "\nvolume.kept, output.type:"), "");
}

TEST(ReadSuite, ProblemsOfVariablesNameFileAndLine) {
  const std::string at = "specs/cases/small.yaml:7: ";
  const auto sweep = [](const std::string& keys) {
    return in_cases("expect: rejects minus-one.once", "expect: rejects minus-one.once, " + keys);
  };
  EXPECT_EQ(in_cases("two: {ask: \"f32", "two: {ask: \"$T"), at + "nothing stands for $T\n");
  EXPECT_EQ(sweep("N: [1, 2]"), at + "the case has no $N\n");
  EXPECT_EQ(sweep("N: some"), at + "suite.yaml has no list \"some\"\n");
  EXPECT_EQ(sweep("N: []"), at + "a variable has a list of values, or the name of one\n");
  EXPECT_EQ(sweep("N M: [1 2 3]"), at + "a row of \"N M\" has 2 values, not \"1 2 3\"\n");
  EXPECT_EQ(sweep("N: [9..3]"), at + "a range goes up, by 4096 at most, not 9..3\n");
  EXPECT_EQ(sweep("N: [1..99999999999]"),
            at + "a range goes up, by 4096 at most, not 1..99999999999\n");
  EXPECT_EQ(sweep("A: [1..99], B: [1..99]"), at + "the case stands for more than 4096 requests\n");
}

// A few lines can stand for more than memory holds.
TEST(ReadSuite, WhatCasesStandForIsBounded) {
  const std::string infers =
      R"(infers: {ask: "f32[2,3] P[3,-1] special_zero=true", expect: "produces [3,2]"})";
  const std::string at = "specs/cases/small.yaml:4: ";
  const std::string half(40'000, 'x');
  EXPECT_EQ(in_cases(infers,
                     R"(x: {ask: "f32[2] P[2] $A$A", expect: "produces [2]", A: [)" + half + "]}"),
            at +
                "with the values of its variables the id, the request or the answer is longer than "
                "65536 bytes\n");
  const std::string blanks(60'000, ' ');
  const SuiteReading many =
      read_suite(spoiled(kSmallCases, infers,
                         "x-$N: {ask: \"f32[$N]" + blanks +
                             "P[$N] special_zero=true\", expect: \"produces [$N]\", N: [1..300]}"),
                 "specs");
  ASSERT_EQ(many.problems.size(), 1u);
  EXPECT_EQ(many.problems[0].text(),
            at + "up to here the suite's cases stand for 16 MiB of requests "
                 "and answers, which is the most");
  EXPECT_EQ(many.written.size(), 279u);
}

TEST(ReadSuite, ASuiteHasSoManyCases) {
  EXPECT_TRUE(read_suite(small_specs(), "specs", 8).problems.empty());
  const SuiteReading reading = read_suite(small_specs(), "specs", 7);
  ASSERT_EQ(reading.problems.size(), 1u);
  EXPECT_EQ(reading.problems[0].text(),
            "specs/cases/small.yaml:22: with this case the documents have more than 7 cases "
            "together");
  EXPECT_TRUE(reading.suite.documents.at(0).cases.empty());
}

TEST(ReadSuite, AProblemQuotesNoWholeFile) {
  std::string letters;
  for (int i = 0; i < 3000; ++i) letters += "\u00e4";
  const std::string told = in_cases(R"(P[3,-1] special_zero=true", expect: "produces [3,2]")",
                                    R"(P[3,-1]", expect: "produces [3,2]", N: )" + letters);
  EXPECT_TRUE(told.starts_with("specs/cases/small.yaml:4: suite.yaml has no list \"\u00e4"));
  EXPECT_TRUE(told.ends_with("\u00e4...\n")) << told;
  EXPECT_LT(told.size(), 1100u);
}

TEST(ReadSuite, ProblemsOfDocumentsNameFileAndLine) {
  const std::string at = "specs/dialects/small-reshape.yaml:";
  EXPECT_EQ(in_document("dialect: small-reshape", "dialect: large-reshape"),
            at + "1: the dialect is called as its file, small-reshape, not \"large-reshape\"\n");
  EXPECT_EQ(in_document("title: Reshape\n", ""), at + "1: a document needs the key \"title\"\n");
  EXPECT_EQ(in_document("title: Reshape\n", "title:\n"), at + "2: title is a text\n");
  EXPECT_EQ(in_document("licence:", "address: example.org\nlicence:"),
            at + "6: address begins with https:// or http://\n");
  EXPECT_EQ(in_document("level: must", "level: perhaps"),
            at + "25: level is must, should, may, derived or silent, not \"perhaps\"\n");
  EXPECT_EQ(in_document("says: At most one -1.", "because: So it is."), "");
  EXPECT_EQ(in_document("zero.past-rank: pattern", "zero.past-rank: elsewhere"),
            at +
                "33: the clause zero.past-rank stands in the section \"elsewhere\", which sections "
                "does not list\n");
  EXPECT_EQ(in_document("  data.scalar: pattern", "  no.such: pattern\n  data.scalar: pattern"),
            at + "36: the clause no.such needs the key \"says\"\n");
}

TEST(ReadSuite, RulesAndClausesSayTheSame) {
  const std::string at = "specs/dialects/small-reshape.yaml:";
  EXPECT_EQ(in_document("  data.scalar: pattern\n", ""),
            at + "1: the rules say scalar_data: produces, and no clause data.scalar says so in "
                 "clauses\n");
  EXPECT_EQ(in_document("data.scalar: pattern", "data.scalar: {section: pattern, level: silent}"),
            at +
                "36: the rules say scalar_data: produces, for which the clause data.scalar refuses "
                "nothing; it is silent\n");
  EXPECT_EQ(in_document("flag_missing: copies", "flag_missing: rejects"),
            at + "35: the clause special-zero.default needs the key \"says\"\n" + at +
                "35: the clause special-zero.default says that flag_missing is copies, and the "
                "rules say rejects\n" +
                at +
                "35: the clause special-zero.default says that flag_missing is literal, and the "
                "rules say rejects\n" +
                at +
                "1: the rules say flag_missing: rejects, and no clause special-zero.required says "
                "so in clauses\n");
  EXPECT_EQ(in_document("  data.scalar: pattern",
                        "  data.type: {section: pattern, breakable: false}"
                        "\n  data.scalar: pattern"),
            at + "36: by the rules the clause data.type refuses something, so it is breakable: "
                 "true\n");
}

TEST(ReadSuite, ProblemsOfRulesNameFileAndLine) {
  const std::string at = "specs/dialects/small-reshape.yaml:";
  const auto first = [](const std::string& from, const std::string& to) {
    const std::string all = in_document(from, to);
    return all.substr(0, all.find('\n') + 1);
  };
  for (const std::string_view name : {"a*b", "with space", "-x", ".x", "Small"}) {
    EXPECT_EQ(first("dialect: small-reshape", "dialect: \"" + std::string(name) + '"'),
              at + "1: " + no_name("a dialect", std::string(name)) + '\n');
  }
  EXPECT_EQ(first("  scalar_data: produces\n", ""),
            at + "9: rules needs the key \"scalar_data\"\n");
  EXPECT_EQ(first("scalar_data: produces", "scalar_data: rejects"),
            at + "12: scalar_data is produces or unspecified\n");
  EXPECT_EQ(first("zero: by_flag", "zero: always"),
            at + "16: zero is by_flag, copies or literal\n");
  EXPECT_EQ(first("zero: by_flag", "zero: literal"),
            at + "17: flag is not asked here: there is no flag\n");
  EXPECT_EQ(first("copies: no,", "copies: yes,"),
            at + "17: copies and literal are two words of the flag\n");
  EXPECT_EQ(first("name: plain_zero", "name: Plain Zero"),
            at + "17: a flag is written with a-z, 0-9, _ and -, not \"Plain Zero\"\n");
  for (const std::string_view word : kRequestWords) {
    EXPECT_EQ(
        first("name: plain_zero", "name: " + std::string(word)),
        at + "17: every request has a word " + std::string(word) + ", so no flag is called so\n");
  }
  EXPECT_EQ(first("pattern_types: integers", "pattern_types: [i64, f32]"),
            at + "10: pattern_types are integer types, not f32\n");
  expect_in(first("pattern_types: integers", "pattern_types: all"),
            at + "10: pattern_types are integer types, not f64 ");
  EXPECT_EQ(first("  zero_past_rank: rejects\n", ""),
            at + "9: rules needs the key \"zero_past_rank\"\n");
  EXPECT_EQ(first("minus_one: inferred", "minus_one: rejects"),
            at + "15: values_below_minus_one is not asked here: a pattern has no -1\n");
  EXPECT_EQ(first("[f32, i8]", "[f32, f32, f9]"),
            at + "11: the element type f32 is listed twice\n");
  EXPECT_EQ(first("[f32, i8]", "[f32, f9]"), at + "11: unknown element type \"f9\"\n");
  EXPECT_EQ(first("[f32, i8]", "everything"),
            at + "11: data_types is a list of element types, or all, numeric or integers\n");
  EXPECT_EQ(first("[f32, i8]", "[f32, i8]\n  data_types_unspecified: [i8]"),
            at + "12: a type cannot be in both data_types and data_types_unspecified\n");
  EXPECT_EQ(first("rules:", "rules:\n  colour: red"), at + "9: unknown key \"colour\" in rules\n");
}

TEST(ReadSuite, ProblemsOfTheFolderAreTold) {
  std::vector<SpecFile> files = small_specs();
  files.pop_back();
  EXPECT_EQ(problems(files),
            "specs/suite.yaml: the file that names the suite and its version is missing\n");
  files = small_specs();
  files.push_back({"elsewhere/cases.yaml", "{}\n"});
  EXPECT_EQ(problems(files),
            "specs/elsewhere/cases.yaml: not read: a document lies in dialects/, "
            "cases in cases/ or regressions/\n");
  EXPECT_EQ(problems({small_specs().back()}), "specs: no document: dialects/ has none\n");
  EXPECT_EQ(load_suite("/nonexistent/specs").error().text(), "/nonexistent/specs: no such folder");
}

}  // namespace
}  // namespace reshape::conformance
