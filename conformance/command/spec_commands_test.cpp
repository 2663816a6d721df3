#include <gtest/gtest.h>

#include "conformance/command/console_test.h"

namespace reshape::conformance {
namespace {

Ended list(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "list");
  return run_command(add_list, std::move(arguments));
}

TEST(List, ShowsALineForEachCase) {
  const SpecFolder folder(small_specs());
  const Ended ended = list({"--specs", folder.path()});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(
      ended.out,
      "small-reshape/infers  small-reshape f32[2,3] i64[3,-1] special_zero=true -> produces "
      "[3,2]  (minus-one.once volume.kept)\n"
      "small-reshape/two  small-reshape f32[2,3] i64[-1,-1] special_zero=true -> rejects "
      "minus-one.once  (minus-one.once)\n"
      "small-reshape/other-volume  small-reshape f32[2,3] i64[4] special_zero=true -> rejects "
      "volume.kept  (volume.kept)\n"
      "small-reshape/open  small-reshape f32[0,3] i64[0,-1] special_zero=true -> unspecified "
      "minus-one.beside-copied-zero permits rejects | produces [0,*]  "
      "(minus-one.beside-copied-zero)\n"
      "4 of 4 cases\n");
}

TEST(List, FiltersTogether) {
  const SpecFolder folder(spoiled("small-reshape/cases.yaml", "f32[2,3] i64[4]", "i8[2,3] i64[4]"));
  const auto count = [&](std::vector<std::string> filters) {
    filters.insert(filters.end(), {"--specs", folder.path()});
    const std::string out = list(filters).out;
    return std::count(out.begin(), out.end(), '\n') - 1;
  };
  EXPECT_EQ(count({"--clause", "volume.kept"}), 2);
  EXPECT_EQ(count({"--type", "f32"}), 3);
  EXPECT_EQ(count({"--id", "*/o*"}), 2);
  EXPECT_EQ(count({"--id", "*/o*", "--type", "f32"}), 1);
  EXPECT_EQ(count({"--dialect", "small-reshape"}), 4);
  EXPECT_EQ(count({"--type", "u8"}), 0);
}

TEST(List, AFilterThatCanMatchNothingIsAnError) {
  const SpecFolder folder(small_specs());
  const auto refused = [&](const char* filter, const char* value) {
    const Ended ended = list({"--specs", folder.path(), filter, value});
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_EQ(ended.out, "");
    return ended.err;
  };
  EXPECT_EQ(refused("--dialect", "x"), "unknown dialect \"x\"; known: small-reshape\n");
  EXPECT_EQ(refused("--clause", "x"), "no document has a clause \"x\"\n");
  EXPECT_EQ(refused("--type", "x").substr(0, 37), "unknown element type \"x\"; known: f64 ");
}

TEST(List, PrintsJson) {
  const SpecFolder folder(small_specs());
  const Ended ended = list({"--specs", folder.path(), "--json", "--id", "*/infers"});
  EXPECT_EQ(ended.out,
            R"({
  "suite": "1.2.3",
  "cases": [
    {
      "id": "small-reshape/infers",
      "dialect": "small-reshape",
      "clauses": [
        "minus-one.once",
        "volume.kept"
      ],
      "request": "small-reshape f32[2,3] i64[3,-1] special_zero=true",
      "expect": "produces [3,2]",
      "source": {
        "kind": "document",
        "section": "pattern"
      },
      "file": "small-reshape/cases.yaml",
      "line": 2
    }
  ]
}
)");
}

Ended trace_of(const std::vector<SpecFile>& files, std::vector<std::string> more = {}) {
  const SpecFolder folder(files);
  std::vector<std::string> arguments = {"trace", "--specs", folder.path()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_command(add_trace, arguments);
}

TEST(TraceCommand, PrintsTheMatrix) {
  const Ended ended = trace_of(small_specs());
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out,
            "small-reshape: Reshape-1, 1, 3 clauses, 4 cases\n"
            "  clause                         level     holds  breaks  opens\n"
            "  minus-one.once                 must          1       1      -\n"
            "  volume.kept                    derived       1       1      -\n"
            "  minus-one.beside-copied-zero   silent        -       -      1\n"
            "\n"
            "1 document, 3 clauses, 4 cases: no orphan\n");
}

TEST(TraceCommand, FailsOnAnOrphanAndSaysWhatIsMissing) {
  const std::vector<SpecFile> files =
      spoiled("small-reshape/document.yaml", "clauses:\n",
              "clauses:\n  - id: lonely\n    level: may\n    section: x\n    says: x\n");
  const Ended ended = trace_of(files);
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_NE(ended.out.find("  lonely                         may           0       0      -  no "
                           "case holds it, no case breaks it\n"),
            std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("the clause lonely of small-reshape is an orphan: no case holds it\n"
                           "the clause lonely of small-reshape is an orphan: no case breaks it\n"
                           "1 document, 4 clauses, 4 cases: 2 orphans\n"),
            std::string::npos)
      << ended.out;
  EXPECT_EQ(trace_of(files, {"--json"}).exit_code, 1);
}

TEST(TraceCommand, PrintsJson) {
  const Ended ended = trace_of(small_specs(), {"--json"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out.front(), '{');
  EXPECT_NE(ended.out.find("\"orphans\": []"), std::string::npos);
}

TEST(TraceCommand, TheBuiltInSuiteHasNoOrphan) {
  const Ended ended = run_command(add_trace, {"trace"});
  EXPECT_EQ(ended.exit_code, 0) << ended.out;
}

TEST(LintCommand, IsQuietAboutACleanFolder) {
  const SpecFolder folder(small_specs());
  const Ended ended = run_command(add_lint, {"lint", "--specs", folder.path()});
  EXPECT_EQ(ended.out, "1 document, 4 cases: clean\n");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(run_command(add_lint, {"lint"}).exit_code, 0);
}

TEST(LintCommand, TellsEveryProblem) {
  std::vector<SpecFile> files =
      spoiled("small-reshape/cases.yaml", "kind: document", "kind: rumour");
  const std::size_t at = files[0].text.find("produces [3,2]");
  files[0].text.replace(at, 14, "produces [2,3]");
  const SpecFolder folder(files);
  const Ended ended = run_command(add_lint, {"lint", "--specs", folder.path()});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.out, folder.path() +
                           "/small-reshape/cases.yaml:4: kind is published example, document, "
                           "derived or public issue\n" +
                           folder.path() +
                           "/small-reshape/cases.yaml:2: small-reshape/infers: the case "
                           "expects \"produces [2,3]\" and the rules answer \"produces "
                           "[3,2]\"\n1 document, 4 cases: 2 problems\n");
  EXPECT_EQ(run_command(add_lint, {"lint", "--specs", "/nonexistent"}).err,
            "/nonexistent: no such folder\n");
}

Ended explain(const std::string& subject) {
  const SpecFolder folder(small_specs());
  return run_command(add_explain, {"explain", "--specs", folder.path(), subject});
}

TEST(Explain, ShowsACaseItsClausesAndTheDerivation) {
  const Ended ended = explain("small-reshape/other-volume");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out.substr(0, ended.out.find("\n\n")),
            "small-reshape/other-volume\n"
            "  asked     small-reshape f32[2,3] i64[4] special_zero=true\n"
            "  answer    rejects volume.kept\n"
            "  document  Reshape-1, Nobody, 1\n"
            "  source    public issue, https://example.org/1\n"
            "  file      small-reshape/cases.yaml:13");
  EXPECT_NE(ended.out.find("  volume.kept\n    "), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("      derived, pattern:\n"
                           "      The volumes are equal.\n"
                           "      because: Elements neither appear nor disappear.\n"),
            std::string::npos)
      << ended.out;
}

TEST(Explain, TakesARequestToo) {
  const Ended ended = explain("small-reshape f32[2,3] i64[-1,-1] special_zero=true");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out.substr(0, ended.out.find("\n\n")),
            "  asked     small-reshape f32[2,3] i64[-1,-1] special_zero=true\n"
            "  answer    rejects minus-one.once\n"
            "  document  Reshape-1, Nobody, 1");
}

TEST(Explain, RefusesWhatItCannotFindOrRead) {
  EXPECT_EQ(explain("small-reshape/o").err,
            "no case is called \"small-reshape/o\"; there is small-reshape/other-volume, "
            "small-reshape/open\n");
  EXPECT_EQ(explain("nothing-like-it").err, "no case is called \"nothing-like-it\"\n");
  EXPECT_EQ(explain("x f32[2] i64[2]").err,
            "column 1: unknown dialect \"x\"; known: small-reshape\n");
  EXPECT_EQ(explain("small-reshape f33[2] i64[2]").err,
            "column 15: unknown element type \"f33\"\n");
  EXPECT_EQ(explain("x f32[2] i64[2]").exit_code, 2);
}

}  // namespace
}  // namespace reshape::conformance
