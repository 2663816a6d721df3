// SARIF and the summary of a CI step.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "conformance/report/report.h"
#include "conformance/report/testing/against_schema.h"
#include "conformance/report/testing/sample_runs.h"

namespace reshape::conformance {
namespace {

using Json = nlohmann::json;

using CiForms = testing::ReportTest;

TEST_F(CiForms, SarifFollowsTheStandard) {
  std::vector<Report> bare = bad;
  testing::forget_symbols(bare[0]);
  Json spoilt = Json::parse(sarif_report(bad));
  spoilt["runs"][0]["results"][0].erase("message");
  testing::expect_follow_schema("testing/sarif.schema.json",
                                {{"good", sarif_report(good)},
                                 {"bad", sarif_report(bad)},
                                 {"known", sarif_report(known)},
                                 {"bare", sarif_report(bare)}},
                                spoilt.dump());
}

TEST_F(CiForms, SarifPointsAtTheClause) {
  for (Report* run : {&bad[0], &known[0]}) {
    const Json sarif = Json::parse(sarif_report(std::vector<Report>{*run}))["runs"][0];
    const Json& rules = sarif["tool"]["driver"]["rules"];
    for (const Json& result : sarif["results"]) {
      EXPECT_EQ(rules[result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
    }
  }
  Suite placed = testing::small_suite();
  placed.documents[0].file = "dialects/one.yaml";
  const std::vector<Report> wrong = {testing::bad_run(placed)};
  const Json sarif = Json::parse(sarif_report(wrong))["runs"][0];
  bool found = false;
  for (const Json& result : sarif["results"]) {
    if (result["ruleId"] != "one/volume.kept") continue;
    found = true;
    EXPECT_EQ(result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "one/too-many");
    const Json& place = result["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], "specs/dialects/one.yaml");
    EXPECT_EQ(place["region"]["startLine"], 3);
    const Json& rule = sarif["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()];
    EXPECT_EQ(rule["shortDescription"]["text"], "Volumes are equal.");
  }
  EXPECT_TRUE(found);
}

// The line in the implementation comes first, then the clause.
TEST_F(CiForms, SarifPointsAtTheFrameOfACrash) {
  Suite placed = testing::small_suite();
  placed.documents[0].file = "dialects/one.yaml";
  std::vector<Report> crashed = {testing::bad_run(placed)};
  const auto crashes = [&] {
    std::vector<Json> found;
    const Json sarif = Json::parse(sarif_report(crashed));
    for (const Json& result : sarif["runs"][0]["results"]) {
      if (result.contains("stacks")) found.push_back(result);
    }
    return found;
  };
  ASSERT_EQ(crashes().size(), 1u);
  const Json named = crashes()[0];
  const Json& place = named["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "src/my%20copy.cpp");
  EXPECT_EQ(place["region"]["startLine"], 104);
  EXPECT_EQ(named["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "specs/dialects/one.yaml");
  const Json& frame = named["stacks"][0]["frames"][0];
  EXPECT_EQ(frame["module"], "libfake.so");
  EXPECT_EQ(frame["location"]["logicalLocations"][0]["name"], "copy<int>(\"x\")");

  // Without debug symbols the place is the clause, and the frame an address.
  testing::forget_symbols(crashed[0]);
  ASSERT_EQ(crashes().size(), 1u);
  const Json bare = crashes()[0];
  EXPECT_EQ(bare["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "specs/dialects/one.yaml");
  EXPECT_FALSE(bare.contains("relatedLocations"));
  EXPECT_EQ(bare["stacks"][0]["frames"][0]["location"]["message"]["text"], "libfake.so+0x1a2b");
}

TEST_F(CiForms, SarifNotifiesOfWhatIsWrongWithTheBaseline) {
  const auto invocation = [&] {
    return Json::parse(sarif_report(good))["runs"][0]["invocations"][0];
  };
  EXPECT_EQ(invocation()["executionSuccessful"], true);
  EXPECT_FALSE(invocation().contains("toolConfigurationNotifications"));
  good[0].baseline_faults = {"an entry matches nothing"};
  EXPECT_EQ(invocation()["executionSuccessful"], false);
  EXPECT_EQ(invocation()["toolConfigurationNotifications"][0]["message"]["text"],
            "an entry matches nothing");
}

TEST_F(CiForms, SarifNotifiesOfABoundedExhaustiveRunThatWasCutShort) {
  good[0].exhaustive = ExhaustiveResult{"ranks 0..1", {{"one", 7}}, 7, 2, 0, 0.5, "out of time"};
  const Json invocation = Json::parse(sarif_report(good))["runs"][0]["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_EQ(invocation["toolConfigurationNotifications"][0]["message"]["text"],
            "the bounded-exhaustive run was cut short: out of time");
}

// An entry of a case that does not fail makes a run red, and no other result tells of it.
TEST_F(CiForms, ACaseThatDoesNotFailAsTheBaselineSaysIsTold) {
  for (const Known unlike : {Known::passes, Known::skipped}) {
    std::vector<Report> one = {good[0]};
    one[0].cases[1].known = unlike;
    one[0].cases[1].known_reason = "it wraps";
    ASSERT_FALSE(one[0].conforming());
    const Json run = Json::parse(sarif_report(one))["runs"][0];
    EXPECT_TRUE(run["results"].empty());
    const Json& invocation = run["invocations"][0];
    EXPECT_EQ(invocation["executionSuccessful"], false);
    EXPECT_EQ(invocation["toolConfigurationNotifications"][0]["message"]["text"],
              "one/wide: " + std::string(name(unlike)) + " (it wraps)");
    expect_in(summary_report(one), "- one/wide&#58; " + std::string(name(unlike)));
  }
  // Of many the summary tells the first ones.
  for (int i = 0; i < 100; ++i) good[0].cases.push_back(good[0].cases[0]);
  for (CaseResult& result : good[0].cases) result.known = Known::passes;
  expect_in(summary_report(good), "\n- and 80 more\n");
}

TEST_F(CiForms, SarifSuppressesWhatIsKnown) {
  int suppressed = 0;
  const Json sarif = Json::parse(sarif_report(known));
  for (const Json& result : sarif["runs"][0]["results"]) {
    if (!result.contains("suppressions")) continue;
    ++suppressed;
    EXPECT_FALSE(result["suppressions"][0]["justification"].get<std::string>().empty());
  }
  EXPECT_EQ(suppressed, tallies(known[0]).all.known);
  EXPECT_GT(suppressed, 0);
}

TEST_F(CiForms, SummaryTellsTheVerdictAndEachKindOfFailure) {
  expect_in(summary_report(good), ":white_check_mark: fake 0.1 conforms");
  const std::string text = summary_report(bad);
  expect_in(text, ":x: ");
  expect_in(text, "| one | ");
  expect_in(text, "reshape-conformance replay");
}

TEST_F(CiForms, SummaryTakesNoWordsForMarkup) {
  const std::string hostile = "</details> | a ``` b\n# c [x](y) <img src=x> @all :x:";
  for (CaseResult& result : bad[0].cases) {
    for (Fault& fault : result.verdict.faults) fault.answered = hostile;
  }
  bad[0].capabilities.name = hostile;
  const std::string text = summary_report(bad);
  // Every fence is longer than any fence in its text, which therefore cannot close it.
  expect_in(text, "````text");
  const std::size_t begin = text.find("### ");
  const std::string heading = text.substr(begin, text.find('\n', begin) - begin);
  EXPECT_EQ(heading.find("</details>"), std::string::npos);
  EXPECT_EQ(heading.find('|'), std::string::npos);
  EXPECT_EQ(heading.find('@'), std::string::npos);
}

TEST_F(CiForms, SummaryStaysBelowOneMebibyte) {
  for (CaseResult& result : bad[0].cases) {
    for (Fault& fault : result.verdict.faults) {
      fault.answered = std::string(1 << 20, 'x') + std::to_string(result.asked->line);
    }
  }
  for (int i = 0; i < 100000; ++i) bad[0].baseline_faults.push_back(std::string(300, 'y'));
  EXPECT_LT(summary_report(bad).size(), std::size_t{1} << 20);
}

}  // namespace
}  // namespace reshape::conformance
