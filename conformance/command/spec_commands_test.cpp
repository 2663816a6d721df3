#include <gtest/gtest.h>

#include "conformance/command/console_test.h"
#include "conformance/spec/names.h"

namespace reshape::conformance {
namespace {

Ended list(std::vector<std::string> arguments) {
  return run_command(add_list, std::move(arguments));
}

// A right implementation would be blamed for such a case.
TEST(Specs, ACaseThatContradictsTheRulesIsNotAsked) {
  const TestFolder folder(spoiled(kSmallCases, "produces [3,2]", "produces [2,3]"));
  const std::string specs = folder.path();
  const auto expect_refused = [&](void (*add)(CLI::App&, Console&),
                                  std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--specs", specs});
    const Ended ended = run_command(add, arguments);
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(ended.err, specs +
                             "/cases/small.yaml:4: small-reshape/infers: the case expects "
                             "\"produces [2,3]\" and the rules answer \"produces [3,2]\"\n");
  };
  expect_refused(add_run, {"-i", "none.so"});
  expect_refused(add_replay, {"small-reshape/infers", "-i", "none.so"});
  expect_refused(add_verify, {"none.json"});
  expect_refused(add_mutants, {});
  EXPECT_EQ(list({"--specs", specs}).exit_code, 0);
}

TEST(List, ShowsALineForEachCase) {
  const TestFolder folder(small_specs());
  const Ended ended = list({"--specs", folder.path()});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out.substr(ended.out.find('\n') + 1),
            "small-reshape/two  small-reshape f32[2,3] i64[-1,-1] plain_zero=no -> rejects "
            "minus-one.once  (minus-one.once)\n"
            "small-reshape/other-volume  small-reshape f32[2,3] i64[4] plain_zero=no -> rejects "
            "volume.kept  (volume.kept)\n"
            "small-reshape/open  small-reshape f32[0,3] i64[0,-1] plain_zero=no -> unspecified "
            "minus-one.beside-copied-zero permits rejects | produces [0,*]  "
            "(minus-one.beside-copied-zero)\n"
            "small-reshape/below  small-reshape f32[6] i64[-2,3] plain_zero=no -> rejects "
            "pattern.values  (pattern.values)\n"
            "small-reshape/past  small-reshape f32[6] i64[6,0] plain_zero=no -> rejects "
            "zero.past-rank  (zero.past-rank)\n"
            "small-reshape/both  small-reshape f32[0,3] i64[0,-1] plain_zero=yes -> rejects "
            "zero.with-minus-one  (zero.with-minus-one)\n"
            "small-reshape/large  small-reshape f32[4294967296,4294967296] "
            "i64[4294967296,4294967296] plain_zero=no shape_only=true -> unspecified "
            "volume.beyond-int64 permits rejects | produces [4294967296,4294967296]  "
            "(volume.beyond-int64)\n"
            "8 of 8 cases\n");
}

TEST(List, FiltersTogether) {
  const TestFolder folder(spoiled(kSmallCases, "f32[2,3] P[4]", "i8[2,3] P[4]"));
  const auto count = [&](std::vector<std::string> filters) {
    filters.insert(filters.end(), {"--specs", folder.path()});
    const std::string out = list(filters).out;
    return std::ranges::count(out, '\n') - 1;
  };
  EXPECT_EQ(count({"--clause", "volume.kept"}), 2);
  EXPECT_EQ(count({"--type", "f32"}), 7);
  EXPECT_EQ(count({"--id", "*/o*"}), 2);
  EXPECT_EQ(count({"--id", "*/o*", "--type", "f32"}), 1);
  EXPECT_EQ(count({"--dialect", "small-reshape"}), 8);
}

// As with `export`.
TEST(List, WhatChoosesNoCaseIsNoSuccess) {
  const TestFolder folder(small_specs());
  for (const std::vector<std::string>& filter :
       {std::vector<std::string>{"--type", "u8"}, {"--id", "["}, {"--id", "nosuch", "--json"}}) {
    std::vector<std::string> arguments = {"--specs", folder.path()};
    arguments.insert(arguments.end(), filter.begin(), filter.end());
    const Ended ended = list(arguments);
    EXPECT_EQ(ended.exit_code, 4);
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(ended.err, "no case is chosen, so nothing is shown\n");
  }
}

TEST(List, ASuiteWithoutACaseIsNoSuccess) {
  auto files = small_specs();
  std::erase_if(files, [](const auto& one) { return one.path.starts_with("cases/"); });
  const TestFolder folder(files);
  const Ended ended = list({"--specs", folder.path()});
  EXPECT_EQ(ended.exit_code, 4);
  EXPECT_EQ(ended.err, "no case is chosen, so nothing is shown\n");
}

TEST(List, AFilterThatCanMatchNothingIsAnError) {
  const TestFolder folder(small_specs());
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
  const TestFolder folder(small_specs());
  const Ended ended = list({"--specs", folder.path(), "--json", "--id", "*/two"});
  EXPECT_EQ(ended.out,
            R"({
  "suite": "1.2.3",
  "of": 8,
  "cases": [
    {
      "id": "small-reshape/two",
      "dialect": "small-reshape",
      "clauses": [
        "minus-one.once"
      ],
      "request": "small-reshape f32[2,3] i64[-1,-1] plain_zero=no",
      "expect": "rejects minus-one.once",
      "source": {
        "kind": "document",
        "section": "pattern"
      },
      "file": "cases/small.yaml",
      "line": 7
    }
  ]
}
)");
}

Ended trace_of(const std::vector<SpecFile>& files, std::vector<std::string> more = {}) {
  const TestFolder folder(files);
  std::vector<std::string> arguments = {"--specs", folder.path()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_command(add_trace, arguments);
}

TEST(TraceCommand, PrintsTheMatrix) {
  const Ended ended = trace_of(small_specs());
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out,
            "small-reshape: Reshape-1, 1, 12 clauses, 8 cases\n"
            "  clause                         level     holds  breaks  opens\n"
            "  pattern.attribute              must          1       -      -\n"
            "  minus-one.once                 must          1       1      -\n"
            "  volume.kept                    derived       1       1      -\n"
            "  minus-one.beside-copied-zero   silent        -       -      1\n"
            "  minus-one.inferred             must          1       -      -\n"
            "  pattern.values                 must          1       1      -\n"
            "  zero.past-rank                 derived       1       1      -\n"
            "  zero.with-minus-one            must          1       1      -\n"
            "  special-zero.default           must          1       -      -\n"
            "  data.scalar                    derived       1       -      -\n"
            "  pattern.empty                  derived       1       -      -\n"
            "  volume.beyond-int64            silent        -       -      1\n"
            "\n"
            "1 document, 12 clauses, 8 cases: no orphan\n");
}

TEST(TraceCommand, FailsOnAnOrphanAndSaysWhatIsMissing) {
  const std::vector<SpecFile> files =
      spoiled(kSmallDocument, "clauses:\n",
              "clauses:\n  lonely: {section: pattern, level: may, says: x}\n");
  const Ended ended = trace_of(files);
  EXPECT_EQ(ended.exit_code, 1);
  expect_in(ended.out,
            "  lonely                         may           0       0      -  no "
            "case holds it, no case breaks it\n");
  expect_in(ended.out,
            "the clause lonely of small-reshape is an orphan: no case holds it\n"
            "the clause lonely of small-reshape is an orphan: no case breaks it\n"
            "1 document, 13 clauses, 8 cases: 2 orphans\n");
  EXPECT_EQ(trace_of(files, {"--json"}).exit_code, 1);
}

TEST(TraceCommand, PrintsJson) {
  const Ended ended = trace_of(small_specs(), {"--json"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out.front(), '{');
  for (const char* part :
       {"\"suite\": \"1.2.3\"", "\"small-reshape/other-volume\"", "\"orphans\": []"}) {
    expect_in(ended.out, part);
  }
}

TEST(TraceCommand, TheBuiltInSuiteHasNoOrphan) {
  const Ended ended = run_command(add_trace, {});
  EXPECT_EQ(ended.exit_code, 0) << ended.out;
}

TEST(LintCommand, IsQuietAboutACleanFolder) {
  const TestFolder folder(small_specs());
  const Ended ended = run_command(add_lint, {"--specs", folder.path()});
  EXPECT_EQ(ended.out, "1 document, 8 cases: clean\n");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(run_command(add_lint, {}).exit_code, 0);
}

TEST(LintCommand, TellsEveryProblem) {
  std::vector<SpecFile> files = spoiled(kSmallCases, "two:", "Two:");
  const std::size_t at = files[0].text.find("produces [3,2]");
  files[0].text.replace(at, 14, "produces [2,3]");
  const TestFolder folder(files);
  const Ended ended = run_command(add_lint, {"--specs", folder.path()});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.out, folder.path() + "/cases/small.yaml:7: " + no_name("an id", "Two") + '\n' +
                           folder.path() +
                           "/cases/small.yaml:4: small-reshape/infers: the case expects "
                           "\"produces [2,3]\" and the rules answer \"produces [3,2]\"\n"
                           "1 document, 7 cases: 2 problems\n");
  EXPECT_EQ(run_command(add_lint, {"--specs", "/nonexistent"}).err,
            "/nonexistent: no such folder\n");
}

Ended explain(const std::string& subject) {
  const TestFolder folder(small_specs());
  return run_command(add_explain, {"--specs", folder.path(), subject});
}

TEST(Explain, ShowsACaseItsClausesAndTheDerivation) {
  const Ended ended = explain("small-reshape/other-volume");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out.substr(0, ended.out.find("\n\n")),
            "small-reshape/other-volume\n"
            "  asked     small-reshape f32[2,3] i64[4] plain_zero=no\n"
            "  answer    rejects volume.kept\n"
            "  document  Reshape-1, Nobody, 1\n"
            "  source    public issue, https://example.org/1\n"
            "  file      cases/small.yaml:9");
  expect_in(ended.out, "  volume.kept\n    ");
  expect_in(ended.out,
            "      derived, pattern:\n"
            "      The volume of the output, the product of its sizes, equals the volume of the "
            "data.\n"
            "      because: Elements neither appear nor disappear.\n");
}

TEST(Explain, TakesARequestToo) {
  const Ended ended = explain("small-reshape f32[2,3] i64[-1,-1] plain_zero=no");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out.substr(0, ended.out.find("\n\n")),
            "  asked     small-reshape f32[2,3] i64[-1,-1] plain_zero=no\n"
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
