#include "conformance/spec/read_suite.h"

#include <gtest/gtest.h>

#include "conformance/spec/load.h"
#include "conformance/spec/small_specs.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

constexpr const char* kCases = "small-reshape/cases.yaml";
constexpr const char* kDocument = "small-reshape/document.yaml";

// Every problem on a line of its own.
std::string problems(const std::vector<SpecFile>& files) {
  std::string all;
  for (const Error& problem : read_suite(files, "specs").problems) all += problem.text() + '\n';
  return all;
}

std::string in_cases(const std::string& from, const std::string& to) {
  return problems(spoiled(kCases, from, to));
}

std::string in_document(const std::string& from, const std::string& to) {
  return problems(spoiled(kDocument, from, to));
}

TEST(ReadSuite, ReadsDocumentsClausesAndCases) {
  const SuiteReading reading = read_suite(small_specs(), "specs");
  ASSERT_EQ(problems(small_specs()), "");
  EXPECT_EQ(reading.suite.version, "1.2.3");
  ASSERT_EQ(reading.suite.documents.size(), 1u);
  const Document& document = reading.suite.documents[0];
  EXPECT_EQ(document.dialect.name, "small-reshape");
  EXPECT_EQ(document.file, kDocument);
  EXPECT_EQ(document.version, "1");
  EXPECT_EQ(document.dialect.data_types, (ElementTypes{ElementType::f32, ElementType::i8}));
  EXPECT_EQ(document.dialect.pattern_types, ElementTypes::integers());
  ASSERT_EQ(document.clauses.size(), 3u);
  EXPECT_EQ(document.clauses[1].level, Level::derived);
  EXPECT_EQ(document.clauses[1].because, "Elements neither appear nor disappear.");
  EXPECT_TRUE(document.clauses[0].breakable);
  EXPECT_FALSE(document.clauses[2].breakable);
  ASSERT_EQ(document.cases.size(), 4u);
  const Case& one = document.cases[0];
  EXPECT_EQ(one.id, "small-reshape/infers");
  EXPECT_EQ(one.file, kCases);
  EXPECT_EQ(one.line, 2);
  EXPECT_EQ(one.clauses, (std::vector<std::string>{"minus-one.once", "volume.kept"}));
  EXPECT_EQ(one.source.section, "pattern");
  EXPECT_EQ(one.request.dialect, "small-reshape");
  EXPECT_EQ(one.expect, Ruling::produces({3, 2}));
  EXPECT_EQ(document.cases[2].source.link, "https://example.org/1");
  EXPECT_EQ(document.cases[1].line, 8);
}

TEST(ReadSuite, EveryRuleIsRead) {
  const std::vector<std::pair<std::string, std::string>> other_answers = {
      {"pattern_not_one_dimensional: rejects", "pattern_not_one_dimensional: unspecified"},
      {"scalar_data: produces", "scalar_data: unspecified"},
      {"empty_pattern: produces", "empty_pattern: unspecified"},
      {"flag_missing: rejects", "flag_missing: means_true"},
      {"zero_past_rank: rejects", "zero_past_rank: one"},
      {"literal_zero_with_minus_one: unspecified_if_empty", "literal_zero_with_minus_one: rejects"},
      {"minus_one_beside_copied_zero: unspecified", "minus_one_beside_copied_zero: rejects"},
      {"volume_beyond_int64: unspecified", "volume_beyond_int64: rejects"}};
  std::vector<SpecFile> files = small_specs();
  for (const auto& [from, to] : other_answers) {
    const std::size_t at = files[1].text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    files[1].text.replace(at, from.size(), to);
  }
  const SuiteReading reading = read_suite(files, "specs");
  EXPECT_TRUE(reading.problems.empty());
  const Dialect& dialect = reading.suite.documents.at(0).dialect;
  EXPECT_EQ(dialect.pattern_not_one_dimensional, Answer::unspecified);
  EXPECT_EQ(dialect.scalar_data, Answer::unspecified);
  EXPECT_EQ(dialect.empty_pattern, Answer::unspecified);
  EXPECT_EQ(dialect.flag_missing, MissingFlag::means_true);
  EXPECT_EQ(dialect.zero_past_rank, ZeroPastRank::one);
  EXPECT_EQ(dialect.literal_zero_with_minus_one, LiteralZeroWithMinusOne::rejects);
  EXPECT_EQ(dialect.minus_one_beside_copied_zero, Answer::rejects);
  EXPECT_EQ(dialect.volume_beyond_int64, Answer::rejects);
}

TEST(ReadSuite, OverBecomesACaseForEachCombination) {
  const SuiteReading reading =
      read_suite(spoiled(kCases, "request: f32[2,3] i64[3,-1] special_zero=true",
                         "over: {T: [f32, i8], I: [i32, u8, i64]}\n"
                         "    request: $T[2,3] $I[3,2] special_zero=true"),
                 "specs");
  ASSERT_TRUE(reading.problems.empty()) << reading.problems[0].text();
  const std::vector<Case>& cases = reading.suite.documents[0].cases;
  ASSERT_EQ(cases.size(), 6u + 3u);
  EXPECT_EQ(cases[0].id, "small-reshape/infers.f32.i32");
  EXPECT_EQ(cases[1].id, "small-reshape/infers.f32.u8");
  EXPECT_EQ(cases[5].id, "small-reshape/infers.i8.i64");
  EXPECT_EQ(print_line(cases[5].request), "small-reshape i8[2,3] i64[3,2] special_zero=true");
}

TEST(ReadSuite, RegressionsAreFiledUnderTheDialectOfTheirRequest) {
  std::vector<SpecFile> files = small_specs();
  files.push_back({"regressions/found.yaml",
                   "cases:\n"
                   "  - id: found-1\n"
                   "    clauses: [volume.kept]\n"
                   "    source: {kind: derived, section: pattern}\n"
                   "    request: small-reshape f32[2] i64[3] special_zero=false\n"
                   "    expect: rejects volume.kept\n"});
  const SuiteReading reading = read_suite(files, "specs");
  ASSERT_TRUE(reading.problems.empty()) << reading.problems[0].text();
  EXPECT_EQ(reading.suite.documents[0].cases.back().id, "regressions/found-1");
  files.back().text.replace(files.back().text.find("small-reshape "), 14, "");
  EXPECT_EQ(problems(files),
            "specs/regressions/found.yaml:5: request, column 1: the dialect is missing, as in "
            "openvino-reshape-1 f32[2,3] i64[6] (in \"f32[2] i64[3] special_zero=false\")\n");
}

TEST(ReadSuite, WrittenOutElementsAreReadAsTheirType) {
  const std::vector<SpecFile> files =
      spoiled(kCases, "request: f32[2,3] i64[3,-1] special_zero=true",
              "request: i8[2] i64[2] special_zero=true elements=[-1,2]\n    elements: [0xff, 2]");
  const SuiteReading reading = read_suite(files, "specs");
  ASSERT_TRUE(reading.problems.empty()) << reading.problems[0].text();
  EXPECT_EQ(reading.suite.documents[0].cases[0].expect_elements,
            (std::vector<std::uint64_t>{0xff, 2}));
}

TEST(ReadSuite, ProblemsOfCasesNameFileAndLine) {
  const std::string at = "specs/small-reshape/cases.yaml:";
  EXPECT_EQ(in_cases("- id: infers", "- idd: infers"),
            at + "2: a case needs the key \"id\"\n" + at + "2: unknown key \"idd\" in a case\n");
  EXPECT_EQ(in_cases("- id: infers", "- id: Infers"),
            at + "2: an id is made of a-z, 0-9, . and -\n");
  EXPECT_EQ(in_cases("- id: two", "- id: infers"),
            at + "8: the id small-reshape/infers is taken: specs/small-reshape/cases.yaml:2\n");
  EXPECT_EQ(in_cases("volume.kept]", "volume.held]"),
            at + "2: small-reshape/infers: small-reshape has no clause volume.held\n");
  EXPECT_EQ(in_cases("[minus-one.once, volume.kept]", "volume.kept"),
            at + "3: clauses is a list, as in [a, b]\n" + at +
                "2: small-reshape/infers: a case names at least one clause\n");
  EXPECT_EQ(in_cases("i64[3,-1]", "i64[3,-x]"),
            at + "5: request, column 16: expected a pattern value, not \"-x\" (in \"f32[2,3] "
                 "i64[3,-x] special_zero=true\")\n");
  EXPECT_EQ(in_cases("produces [3,2]", "makes [3,2]"),
            at + "6: expect, column 1: expected produces, rejects or unspecified, not \"makes\"\n");
  EXPECT_EQ(in_cases("rejects minus-one.once", "rejects volume.kept"),
            at + "8: small-reshape/two: the clause of the answer, volume.kept, is not among the "
                 "case's clauses\n");
  EXPECT_EQ(in_cases("kind: document", "kind: rumour"),
            at + "4: kind is published example, document, derived or public issue\n");
  EXPECT_EQ(in_cases("link: 'https:", "link: 'gopher:"),
            at + "15: a public issue has a link that begins with https://\n");
  EXPECT_EQ(in_cases("{kind: derived, section: pattern}", "{kind: derived}"),
            at + "10: the source says in which section of the document it stands\n");
  EXPECT_EQ(in_cases("request: f32[2,3] i64[3", "request: other f32[2,3] i64[3"),
            at + "5: the request names the dialect other, and its folder small-reshape\n");
  EXPECT_EQ(in_cases("cases:\n", "cases: []\nothers:\n"),
            at + "2: unknown key \"others\" in a file of cases\n" + at +
                "1: cases is a list of at least one case\n");
  EXPECT_EQ(in_cases("section: pattern}", "section: pattern"),
            at + "5: not YAML: end of map flow not found\n");
}

TEST(ReadSuite, ProblemsOfOverNameFileAndLine) {
  const std::string at = "specs/small-reshape/cases.yaml:";
  EXPECT_EQ(in_cases("request: f32[2,3] i64[3,-1]", "request: $T[2,3] i64[3,-1]"),
            at + "5: nothing in over stands for $T\n");
  EXPECT_EQ(in_cases("expect: produces", "over: {T: [f32]}\n    expect: produces"),
            at + "6: the request has no $T\n");
  EXPECT_EQ(in_cases("expect: produces", "over: [f32]\n    expect: produces"),
            at + "6: over maps a capital letter to its values, as in {T: [f32, f16]}\n");
  EXPECT_EQ(
      in_cases("request: f32[2,3] i64[3,-1]", "over: {T: [f99]}\n    request: $T[2,3] i64[3]"),
      at + "6: request, column 1: unknown element type \"f99\" (in \"f99[2,3] i64[3] "
           "special_zero=true\")\n");
}

TEST(ReadSuite, ProblemsOfDocumentsNameFileAndLine) {
  const std::string at = "specs/small-reshape/document.yaml:";
  EXPECT_EQ(in_document("dialect: small-reshape", "dialect: large-reshape"),
            at + "1: the dialect is called as its folder, small-reshape, not \"large-reshape\"\n");
  EXPECT_EQ(in_document("title: Reshape\n", ""), at + "1: a document needs the key \"title\"\n");
  EXPECT_EQ(in_document("title: Reshape\n", "title:\n"), at + "2: title is a text\n");
  EXPECT_EQ(in_document("licence:", "address: example.org\nlicence:"),
            at + "6: address begins with https:// or http://\n");
  EXPECT_EQ(in_document("level: must", "level: perhaps"),
            at + "22: level is must, should, may, derived or silent, not \"perhaps\"\n");
  EXPECT_EQ(in_document("    because: Elements neither appear nor disappear.\n", ""),
            at + "25: the clause volume.kept is derived, so it needs a reason (because)\n");
  EXPECT_EQ(in_document("    breakable: false\n", ""),
            at + "30: the clause minus-one.beside-copied-zero is silent, so nothing can break it: "
                 "say breakable: false\n");
  EXPECT_EQ(in_document("breakable: false", "breakable: no"),
            at + "35: breakable is true or false\n");
  EXPECT_EQ(in_document("- id: volume.kept", "- id: minus-one.once"),
            at + "25: the clause minus-one.once stands twice\n"
                 "specs/small-reshape/cases.yaml:2: small-reshape/infers: small-reshape has no "
                 "clause volume.kept\n"
                 "specs/small-reshape/cases.yaml:13: small-reshape/other-volume: small-reshape has "
                 "no clause volume.kept\n");
}

TEST(ReadSuite, ProblemsOfRulesNameFileAndLine) {
  const std::string at = "specs/small-reshape/document.yaml:";
  EXPECT_EQ(in_document("  scalar_data: produces\n", ""),
            at + "8: rules needs the key \"scalar_data\"\n");
  EXPECT_EQ(in_document("scalar_data: produces", "scalar_data: rejects"),
            at + "12: scalar_data is produces or unspecified\n");
  EXPECT_EQ(in_document("zero: by_flag", "zero: always"),
            at + "14: zero is by_flag, copies or literal\n");
  EXPECT_EQ(in_document("zero: by_flag", "zero: literal"),
            at + "15: flag_missing is not asked here: there is no flag\n");
  EXPECT_EQ(in_document("zero: by_flag\n  flag_missing: rejects\n  zero_past_rank: rejects",
                        "zero: literal"),
            "");
  EXPECT_EQ(in_document("  zero_past_rank: rejects\n", ""),
            at + "8: rules needs the key \"zero_past_rank\"\n");
  EXPECT_EQ(in_document("  literal_zero_with_minus_one: unspecified_if_empty\n", ""),
            at + "8: rules needs the key \"literal_zero_with_minus_one\"\n");
  EXPECT_EQ(
      in_document("pattern_given_as: tensor", "pattern_given_as: attribute"),
      at + "10: pattern_not_one_dimensional is not asked here: the pattern is an attribute\n");
  EXPECT_EQ(
      in_document("[f32, i8]", "[f32, f32, f9]"),
      at + "11: the element type f32 is listed twice\n" + at + "11: unknown element type \"f9\"\n");
  EXPECT_EQ(in_document("[f32, i8]", "everything"),
            at + "11: data_types is all, numeric, integers or a list of types\n");
  EXPECT_EQ(in_document("[f32, i8]", "[f32, i8]\n  data_types_unspecified: [i8]"),
            at + "12: a type cannot be in both data_types and data_types_unspecified\n");
  EXPECT_EQ(in_document("rules:", "rules:\n  colour: red"),
            at + "8: unknown key \"colour\" in rules\n");
}

TEST(ReadSuite, ProblemsOfTheFolderAreTold) {
  std::vector<SpecFile> files = small_specs();
  files.pop_back();
  EXPECT_EQ(problems(files),
            "specs/suite.yaml: the file that names the suite and its version is missing\n");
  files = small_specs();
  files.push_back({"elsewhere/cases.yaml", "cases: []\n"});
  files.push_back({"stray.yaml", "cases: []\n"});
  EXPECT_EQ(problems(files),
            "specs/elsewhere/cases.yaml:1: the folder has no readable document.yaml, so its cases "
            "belong nowhere\n"
            "specs/stray.yaml:1: cases stand in the folder of their dialect\n");
  EXPECT_EQ(load_suite("/nonexistent/specs").error().text(), "/nonexistent/specs: no such folder");
}

}  // namespace
}  // namespace reshape::conformance
