#include "conformance/report/read_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "conformance/report/join.h"
#include "conformance/report/testing/sample_runs.h"

namespace reshape::conformance {
namespace {

using Json = nlohmann::json;

class ReadReport : public testing::ReportTest {
 protected:
  std::string error_of(const std::string& text) const {
    const Result<std::vector<Report>> read = read_report(text, suite);
    return read ? "none" : read.error().text();
  }
  // The good run with one thing of its report changed.
  std::string error_with(const std::function<void(Json&)>& change) const {
    Json report = Json::parse(json_report(good));
    change(report);
    return error_of(report.dump());
  }

  // Writing a report that was read gives the same report.
  void expect_read_as_written(const std::vector<Report>& runs) const {
    const std::string told = json_report(runs);
    const Result<std::vector<Report>> read = read_report(told, suite);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(json_report(*read), told);
    // Report forms that are not made from JSON are the same too.
    EXPECT_EQ(text_report(*read), text_report(runs));
  }
};

TEST_F(ReadReport, IsTheInverseOfTheJsonReport) {
  std::vector<Report> runs = {good[0], bad[0], known[0]};
  runs[0].library_digest = runs[1].library_digest = std::string(64, '7');
  runs[1].library_changed = true;
  runs[0].laws = {{.name = "round-trip",
                   .rests_on = "volume.kept",
                   .says = "it comes back",
                   .tried = 12,
                   .seconds = 0.5},
                  {.name = "twice",
                   .rests_on = "C4",
                   .says = "again",
                   .tried = 3,
                   .broken = "it differs",
                   .lines = {"one f32[2] i64[2]"},
                   .input = "one f32[2] i64[2]",
                   .seed = 1234567890123456789,
                   .wrong_alone = 2,
                   .undecided = true,
                   .seconds = 1,
                   .known = "known for long"}};
  runs[0].laws.push_back(runs[0].laws[1]);
  runs[0].laws[2].known_until = "2026-11-01 (owner ana)";
  runs[0].laws[2].undecided = false;
  runs[0].generated =
      Generation{7, 12, {{"family", {{"plain", 3}}}}, {{"generated/7/1", "l", "f", "y"}}};
  runs[0].whole = Whole{5, 0xfedcba9876543210u, 17};
  runs[0].unmet_causes = {"known.yaml:3: entry 'a' is the cause of no failure any more"};
  runs[1].exhaustive = ExhaustiveResult{"ranks 0..1", {{"one", 7}}, 7, 2, 1, 0.5, "enough"};
  runs[1].cut_short = "the time limit was reached";
  runs[1].cases[0].replays = {Replays::How::after, {"one f32[2] i64[2]"}};
  for (CaseResult& one : runs[1].cases) {
    if (one.failed() && &one != &runs[1].cases[0])
      one.replays = {.how = Replays::How::alone, .alone = "bytes: another"};
  }
  for (CaseResult& one : runs[1].cases) {
    if (one.failed()) one.wrong = WrongElements{{{"the last 3 elements", 0.5, true, 2}}, {}};
  }
  runs[2].cases[3].known = Known::expired;
  runs[2].cases[3].known_until = "2026-11-01 (owner ana)";
  expect_read_as_written(runs);
}

TEST_F(ReadReport, KeepsRequestsThatWereDrawn) {
  std::deque<Case> drawn;
  for (CaseResult& one : bad[0].cases) {
    drawn.push_back(*one.asked);
    drawn.back().id = "generated/7/" + std::to_string(drawn.size());
    drawn.back().file.clear();
    one.asked = &drawn.back();
  }
  expect_read_as_written(bad);
}

TEST_F(ReadReport, RefusesWhatIsNoReportOfThisSuite) {
  const std::string no_report = "this is not what run --json writes";
  EXPECT_TRUE(error_of("{\n").starts_with("is no JSON: parse error at line 2, column 1: "));
  EXPECT_EQ(error_of("[]"), no_report);
  EXPECT_EQ(error_of(R"({"runs": [{"cases": [{"id": "one", "id": "other"}]}]})"),
            "the key \"id\" is given twice in runs[0].cases[0]");
  const std::string no_key = no_report + ": a key is missing or holds something else";
  EXPECT_EQ(error_of("{}"), no_key);
  EXPECT_EQ(error_with([](Json& report) { report["runs"][0].erase("options"); }), no_key);
  EXPECT_EQ(error_with([](Json& report) { report["runs"][0]["cases"][0]["id"] = 7; }), no_key);
  EXPECT_EQ(error_with([](Json& report) { report["runs"] = Json::array(); }), "it holds no run");
  EXPECT_EQ(error_with([](Json& report) { report["documents"]["one"]["title"] = "another"; }),
            "its documents are not those of this suite");
  EXPECT_EQ(error_with([](Json& report) { report["format"] = 2; }),
            "it is a report of another program or form");
  EXPECT_EQ(error_with([](Json& report) { report["suite_version"] = "9.8.6"; }),
            "it is of suite 9.8.6, and this is suite 9.8.7");
  const auto first_case = [](const char* key, const char* value) {
    return [=](Json& report) { report["runs"][0]["cases"][0][key] = value; };
  };
  EXPECT_EQ(error_with(first_case("id", "one/gone")), "case 'one/gone' is not one of this suite");
  EXPECT_EQ(error_with(first_case("expected", "produces [6]")),
            "case 'one/plain' asks or expects something else in this suite");
  EXPECT_EQ(error_with(first_case("dialect", "three")),
            "case 'one/plain' is of no document of this suite");
  EXPECT_EQ(error_with(first_case("verdict", "splendid")), "unknown word 'splendid'");
  EXPECT_EQ(error_with(first_case("verdict", "fail")), "case 'one/plain' fails without a fault");
}

}  // namespace
}  // namespace reshape::conformance
