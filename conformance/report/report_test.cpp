#include "conformance/report/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>
#include <string>

#include "conformance/report/known_laws.h"
#include "conformance/report/sections.h"
#include "conformance/report/testing/against_schema.h"
#include "conformance/report/testing/sample_runs.h"

namespace reshape::conformance {
namespace {

using Json = nlohmann::json;

using Reports = testing::ReportTest;

TEST_F(Reports, FormsHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const ReportForm& form : report_forms()) {
    EXPECT_TRUE(names.insert(form.name).second);
    EXPECT_FALSE(form.render(good).empty());
  }
  // No form is missing; new ones need not be listed here.
  for (const char* name :
       {"badge", "evidence", "html", "json", "junit", "sarif", "summary", "text"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

// ---- JSON

TEST_F(Reports, JsonFollowsItsSchema) {
  const std::vector<Report> all = {good[0], bad[0], known[0]};
  Json spoilt = Json::parse(json_report(good));
  spoilt["runs"][0]["cases"][0]["verdict"] = "fail";
  testing::expect_follow_schema(
      "report.schema.json",
      {{"good", json_report(good)}, {"bad", json_report(bad)}, {"all", json_report(all)}},
      spoilt.dump());
}

TEST_F(Reports, JsonHoldsVersionsAndCounts) {
  const Json report = Json::parse(json_report(good));
  EXPECT_EQ(report["program_version"], "1.2.3");
  EXPECT_EQ(report["suite_version"], "9.8.7");
  EXPECT_EQ(report["contract_version"], kContractVersion);
  const Json& run = report["runs"][0];
  EXPECT_EQ(run["conforming"], true);
  EXPECT_EQ(run["summary"]["all"]["pass"], 10);
  EXPECT_EQ(run["summary"]["dialects"]["one"]["planned"], 5);
  EXPECT_EQ(run["cases"].size(), 10u);
  EXPECT_EQ(run["cases"][0]["id"], "one/plain");
  EXPECT_EQ(run["cases"][0]["request"], "one f32[2,3] i64[3,2] special_zero=true");
  EXPECT_EQ(run["cases"][0]["expected"], "produces [3,2]");
  EXPECT_EQ(run["cases"][4]["chose"], "produced [2]");
  EXPECT_EQ(run["open_points"][0]["clause"], "data.type-open");
}

TEST_F(Reports, JsonTellsFailuresWhole) {
  const Json report = Json::parse(json_report(bad));
  const Json& run = report["runs"][0];
  EXPECT_EQ(run["conforming"], false);
  EXPECT_EQ(run["summary"]["all"]["fail"], 3);
  EXPECT_EQ(run["summary"]["planes"]["memory"]["fail"], 1);
  const Json& wide = run["cases"][1];
  EXPECT_EQ(wide["verdict"], "fail");
  EXPECT_EQ(wide["planes"]["bytes"], "fail");
  ASSERT_EQ(wide["faults"].size(), 2u);
  EXPECT_EQ(wide["faults"][1]["watch"], "output-gaps");
  EXPECT_EQ(wide["faults"][1]["answered"], "byte 5 changed <from> \"a5\" & \\x01");
  EXPECT_EQ(run["cases"][2]["answered"], "crashed during inference: signal 11\\xff\\nsecond line");
  EXPECT_EQ(run["cases"][5]["reason"], "dialect two is not declared");
  EXPECT_EQ(run["cases"][0]["verdict"], "mistrusted");
  EXPECT_EQ(run["summary"]["skipped"].size(), 2u);
}

TEST_F(Reports, JsonTellsTheBaseline) {
  const Json report = Json::parse(json_report(known));
  const Json& cases = report["runs"][0]["cases"];
  EXPECT_EQ(cases[0]["known"], "unexpected pass");
  EXPECT_EQ(cases[1]["known"], "known failure");
  EXPECT_EQ(cases[1]["known_reason"], "known for long, https://example.org/1");
  EXPECT_EQ(cases[2]["known"], "differs from the known failure");
  EXPECT_EQ(cases[5]["known"], "known failure, not executed");
  EXPECT_EQ(report["runs"][0]["baseline_faults"].size(), 1u);
}

TEST_F(Reports, JsonSaysOfALawThatWasNotAskedNeitherThatItHoldsNorThatItDoesNot) {
  good[0].laws.resize(3);
  good[0].laws[0].not_asked = "views are not promised";
  good[0].laws[1].tried = 1;
  good[0].laws[2].broken = "it differs";
  const Json laws = Json::parse(json_report(good))["runs"][0]["laws"];
  EXPECT_EQ(laws[0]["holds"], nullptr);
  EXPECT_EQ(laws[1]["holds"], true);
  EXPECT_EQ(laws[2]["holds"], false);
}

// ---- JUnit

class Junit : public Reports {
 protected:
  pugi::xml_document parsed(const std::vector<Report>& runs) {
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(junit_report(runs).c_str()));
    return document;
  }
  pugi::xml_node test(const pugi::xml_document& document, const std::string& name) {
    return document.select_node(("//testcase[@name='" + name + "']").c_str()).node();
  }
};

TEST_F(Junit, HasATestForEveryCase) {
  const pugi::xml_document document = parsed(good);
  EXPECT_EQ(document.select_nodes("//testcase[@classname!='run']").size(), 10u);
  EXPECT_EQ(document.select_nodes("//failure").size(), 0u);
  EXPECT_STREQ(document.child("testsuites").attribute("failures").value(), "0");
  EXPECT_STREQ(document.child("testsuites").attribute("tests").value(), "11");
  EXPECT_EQ(document.select_nodes("//property[@name='contract']").size(), 2u);
}

TEST_F(Junit, FailuresSkipsAndMistrustAreTold) {
  const pugi::xml_document document = parsed(bad);
  const pugi::xml_node failure = test(document, "one/too-many").child("failure");
  EXPECT_STREQ(failure.attribute("type").value(), "shape plane");
  EXPECT_STREQ(failure.attribute("message").value(),
               "expected rejects volume.kept, answered produced [2,5]");
  expect_in(std::string(failure.text().get()), "replay");
  EXPECT_STREQ(test(document, "two/plain").child("skipped").attribute("message").value(),
               "dialect two is not declared");
  EXPECT_STREQ(test(document, "one/plain").child("system-out").text().get(),
               "mistrusted: only the shape was asked: no execution was compared");
  EXPECT_EQ(document.select_nodes("//testsuite[@name='wrong\\x1b[31m 0.1/one']").size(), 1u);
}

// The counts that CI systems show are those of the elements.
TEST_F(Junit, CountsAreTrue) {
  for (const auto* runs : {&good, &bad, &known}) {
    const pugi::xml_document document = parsed(*runs);
    const pugi::xml_node root = document.child("testsuites");
    const auto count = [&](const pugi::xml_node& node, const char* path) {
      return static_cast<int>(node.select_nodes(path).size());
    };
    EXPECT_EQ(root.attribute("tests").as_int(), count(root, ".//testcase"));
    EXPECT_EQ(root.attribute("failures").as_int(), count(root, ".//failure"));
    EXPECT_EQ(root.attribute("skipped").as_int(), count(root, ".//skipped"));
    for (const pugi::xml_node& suite_node : root.children("testsuite")) {
      EXPECT_EQ(suite_node.attribute("tests").as_int(), count(suite_node, "testcase"));
      EXPECT_EQ(suite_node.attribute("failures").as_int(), count(suite_node, "testcase/failure"));
      EXPECT_EQ(suite_node.attribute("skipped").as_int(), count(suite_node, "testcase/skipped"));
    }
  }
}

// This file has failures exactly where the program does not exit with 0.
TEST_F(Junit, IsRedWhereTheRunIs) {
  const auto failures = [&](const std::vector<Report>& runs) {
    return parsed(runs).child("testsuites").attribute("failures").as_int();
  };
  // Of the good run, changed so.
  const auto failures_with = [&](auto change) {
    std::vector<Report> one = good;
    change(one[0]);
    return failures(one);
  };
  EXPECT_EQ(failures(good), 0);
  EXPECT_GT(failures(bad), 0);
  EXPECT_EQ(failures_with([](Report& run) { run.cases[0].known = Known::passes; }), 1);
  EXPECT_EQ(failures_with([](Report& run) { run.baseline_faults = {"an entry matches nothing"}; }),
            1);
  EXPECT_EQ(failures_with([](Report& run) { run.library_changed = true; }), 1);
  EXPECT_EQ(failures_with([](Report& run) {
              for (CaseResult& result : run.cases) result.executed = false;
            }),
            1);
  for (const bool waived : {false, true}) {
    EXPECT_EQ(failures_with([&](Report& run) {
                run.unasked = {{"one", "volume.kept", Level::must, 3, "not declared", waived}};
              }),
              waived ? 0 : 1);
    EXPECT_EQ(failures_with([&](Report& run) {
                run.at_first_use = {
                    {{CaughtBy::threads, Plane::memory, Duty::C14, "4 more threads"}, waived}};
              }),
              waived ? 0 : 1);
  }
}

TEST_F(Junit, ARunThatWasCutShortIsRed) {
  good[0].cut_short = "not asked within 1 s (--time-limit)";
  const pugi::xml_document document = parsed(good);
  EXPECT_STREQ(document.child("testsuites").attribute("failures").value(), "1");
  const pugi::xml_node failure = test(document, "everything was asked").child("failure");
  EXPECT_STREQ(failure.attribute("message").value(), "not asked within 1 s (--time-limit)");
  EXPECT_EQ(failure.text().get(), conclusion(good[0]));
}

TEST_F(Junit, KnownFailuresAreSkippedWithTheirReason) {
  const pugi::xml_document document = parsed(known);
  EXPECT_STREQ(test(document, "one/wide").child("skipped").attribute("message").value(),
               "known failure: known for long, https://example.org/1");
  EXPECT_STREQ(test(document, "one/plain").child("failure").attribute("message").value(),
               "unexpected pass");
  EXPECT_TRUE(test(document, "one/empty").child("failure"));
}

// What is no XML, and what a terminal would obey, in the words of others.
TEST_F(Junit, WordsFromElsewhereAreMadePrintable) {
  bad[0].options.library = "in\xff\x1b.so";
  for (CaseResult& one : bad[0].cases) {
    if (!one.failed()) continue;
    one.known = Known::differs;
    one.known_reason = "since \x01 and \xff";
  }
  const std::string text = junit_report(bad);
  for (const char byte : {'\x01', '\x1b', '\xff'}) EXPECT_EQ(text.find(byte), std::string::npos);
  expect_in(text, "known to fail, but differently: since \\x01 and \\xff");
  EXPECT_EQ(text_report(bad).find('\xff'), std::string::npos);
  expect_in(text_report(bad), "(in\\xff\\x1b.so)\n");
  EXPECT_FALSE(html_report(bad).empty());
}

// A run that conforms is green in every form: its laws too are red only where the run is.
TEST_F(Junit, AnUndecidedLawIsSkippedOnceSomeFailureIsKnown) {
  good[0].laws = {{.name = "round-trip",
                   .rests_on = "one: output.shape",
                   .broken = "a draw is answered wrongly alone",
                   .undecided = true}};
  const std::string name = "law round-trip (one: output.shape)";
  const auto sarif = [&] { return Json::parse(sarif_report(good))["runs"][0]["results"]; };
  EXPECT_TRUE(test(parsed(good), name).child("failure"));
  EXPECT_EQ(sarif().size(), 1u);
  expect_in(summary_report(good), "law undecided");
  good[0].cases[2].known = Known::failure;
  ASSERT_TRUE(good[0].conforming());
  const pugi::xml_document document = parsed(good);
  EXPECT_STREQ(document.child("testsuites").attribute("failures").value(), "0");
  EXPECT_STREQ(test(document, name).child("skipped").attribute("message").value(),
               "undecided: a draw is answered wrongly alone");
  EXPECT_TRUE(sarif().empty());
  EXPECT_EQ(summary_report(good).find("law undecided"), std::string::npos);
}

// ---- the verdict

TEST_F(Reports, AnUndecidedLawIsRedUntilSomeFailureIsKnown) {
  Report report = good[0];
  ASSERT_TRUE(report.conforming());
  LawResult& law = report.laws.emplace_back();
  law.broken = "a draw is answered wrongly alone";
  law.undecided = true;
  const auto told_red = [&] {
    return Json::parse(json_report({&report, 1}))["runs"][0]["laws"][0]["red"].get<bool>();
  };
  EXPECT_FALSE(report.conforming());
  EXPECT_TRUE(told_red());
  report.cases[2].known = Known::failure;
  report.cases[2].verdict.kind = Verdict::Kind::fail;
  EXPECT_TRUE(report.conforming());
  EXPECT_FALSE(told_red());
  report.options.baseline = "known.txt";
  EXPECT_EQ(mending_command(report), "");
  // In a run of laws alone the baseline says whether there are known failures.
  Report alone = report;
  alone.cases.clear();
  const KnownFailure wraps{
      .reason = "it wraps", .cause = "one: a.b | shape", .until = "2026-11-01"};
  apply_to_laws({"known.txt", {{.reason = "OpenMP", .law = "another"}}}, alone, "2026-11-01");
  EXPECT_FALSE(alone.conforming());
  apply_to_laws({"known.txt", {wraps}}, alone, "2026-11-02");
  EXPECT_FALSE(alone.conforming());
  apply_to_laws({"known.txt", {wraps}}, alone, "2026-11-01");
  EXPECT_TRUE(alone.conforming());
  law.undecided = false;
  EXPECT_FALSE(report.conforming());
}

TEST_F(Reports, ALawThatTheBaselineKnowsIsNotRed) {
  Report report = good[0];
  report.laws = {{.name = "asked-by-a-fork", .tried = 1, .broken = "the call did not return"},
                 {.name = "round-trip", .tried = 40}};
  const Baseline none{"known.txt", {}};
  Baseline mended = none;
  mend_laws(report, mended);
  ASSERT_EQ(mended.known.size(), 1u);
  EXPECT_EQ(mended.known[0].law, "asked-by-a-fork");

  KnownFailure& entry = mended.known[0];
  entry.reason = "OpenMP";
  entry.link = "https://example.org/2";
  entry.until = "2026-11-01";
  entry.line = 3;
  apply_to_laws(mended, report, "2026-11-01");
  EXPECT_TRUE(report.conforming());
  EXPECT_EQ(report.laws[0].known, "OpenMP, https://example.org/2");
  expect_in(conclusion(report), "conforms, apart from 1 known failure: ");
  expect_in(conclusion(report), ", 1 law holds");
  expect_in(law_text(report, report.laws[0]), "known     OpenMP");
  EXPECT_EQ(summary_report({&report, 1}).find("law broken"), std::string::npos);
  const Baseline as_it_was = mended;
  mend_laws(report, mended);
  EXPECT_EQ(text_of(mended), text_of(as_it_was));

  // Where failures are known an undecided law needs no entry.
  Report undecided = bad[0];
  undecided.laws = {report.laws[0]};
  undecided.laws[0].known.clear();
  Baseline without = none;
  mend_laws(undecided, without);
  EXPECT_EQ(without.known.size(), 1u);
  undecided.laws[0].undecided = true;
  without = none;
  mend_laws(undecided, without);
  EXPECT_TRUE(without.known.empty());

  const std::string platform = platform_of(report.capabilities);
  EXPECT_TRUE(knows_law(mended, "asked-by-a-fork", platform, "2026-11-01"));
  EXPECT_FALSE(knows_law(mended, "asked-by-a-fork", platform, "2026-11-02"));
  EXPECT_FALSE(knows_law(mended, "round-trip", platform, "2026-11-01"));

  // After its last day, and once it holds.
  report.laws[0].known.clear();
  apply_to_laws(mended, report, "2026-11-02");
  EXPECT_FALSE(report.conforming());
  expect_in(law_text(report, report.laws[0]),
            "known     until 2026-11-01: OpenMP, https://example.org/2\n");
  report.options.baseline = "known.txt";
  EXPECT_EQ(mending_command(report), "");  // somebody says for how long it is accepted

  // A valid entry takes precedence over an expired one, whatever their order.
  KnownFailure renewed = entry;
  renewed.until = "2026-12-01";
  for (const Baseline& two :
       {Baseline{"known.txt", {entry, renewed}}, Baseline{"known.txt", {renewed, entry}}}) {
    report.laws[0].known.clear();
    report.laws[0].known_until.clear();
    apply_to_laws(two, report, "2026-11-02");
    EXPECT_EQ(report.laws[0].known, "OpenMP, https://example.org/2");
    EXPECT_EQ(report.laws[0].known_until, "");
  }
  report.laws[0].known.clear();
  EXPECT_NE(mending_command(report), "");
  report.laws[0].broken.clear();
  apply_to_laws(mended, report, "2026-11-01");
  EXPECT_EQ(report.baseline_faults,
            std::vector<std::string>{"known.txt:3: law 'asked-by-a-fork' is known to be broken, "
                                     "and it holds"});
  EXPECT_FALSE(report.conforming());
  // A law of which the run was cut short may yet be broken.
  report.baseline_faults.clear();
  report.laws[0].unfinished = "not asked within 1 s (--time-limit)";
  apply_to_laws(mended, report, "2026-11-01");
  EXPECT_TRUE(report.baseline_faults.empty());
  mend_laws(report, mended);
  EXPECT_EQ(mended.known.size(), 1u);
  report.laws[0].unfinished.clear();
  mend_laws(report, mended);
  EXPECT_TRUE(mended.known.empty());
  // A law that was not checked says nothing about its entry.
  report.laws[0].tried = 0;
  mended = as_it_was;
  mend_laws(report, mended);
  EXPECT_EQ(mended.known.size(), 1u);
}

// A trial may ask other requests than its input, which the replay command names.
TEST_F(Reports, OfALawTellWhatItsRequestsAreMadeFrom) {
  LawResult law{.name = "worn-by-use",
                .broken = "it differs",
                .lines = {"one f32[2,3] i64[6] payload=distinct"},
                .input = "one i64[40] i64[40]"};
  expect_in(law_text(good[0], law), "made from one i64[40] i64[40]\n");
  law.input = "one f32[2,3] i64[6]";
  EXPECT_EQ(law_text(good[0], law).find("made from"), std::string::npos);
}

TEST_F(Reports, OfABoundedWorldConformWhereItCameToItsEndWithoutAFault) {
  Report report = good[0];
  report.exhaustive = ExhaustiveResult{"ranks 0..1", {{"one", 7}}, 7, 2, 0, 0.5, ""};
  EXPECT_TRUE(report.conforming());
  report.exhaustive->stopped = "the time limit was reached";
  EXPECT_FALSE(report.conforming());
  report.exhaustive->stopped.clear();
  report.exhaustive->faults = 1;
  EXPECT_FALSE(report.conforming());
}

}  // namespace
}  // namespace reshape::conformance
