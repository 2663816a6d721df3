#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "conformance/report/report.h"
#include "conformance/report/testing/sample_runs.h"

namespace reshape::conformance {
namespace {

using Json = nlohmann::json;
using HtmlReport = testing::ReportTest;

constexpr const char* kOpening = R"(<script type="application/json" id="report">)";
constexpr const char* kEnd = "</script>";

// The JSON as a browser sees it: up to the first end of a script element.
std::string data_of(const std::string& page) {
  const std::size_t at = page.find(kOpening);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + std::string(kOpening).size();
  return page.substr(begin, page.find(kEnd, begin) - begin);
}

// The cases as the JSON report lists them, of the columns that the page holds.
Json unpacked(Json report) {
  for (Json& run : report["runs"]) {
    Json cases = Json::array();
    for (const auto& [key, column] : run["cases"].items()) {
      for (std::size_t at = 0; at < column.size(); ++at) {
        if (cases.size() <= at) cases.push_back(Json::object());
        if (column[at] != -1) cases[at][key] = report["values"][key][column[at].get<std::size_t>()];
      }
    }
    run["cases"] = cases;
  }
  report.erase("values");
  return report;
}

TEST_F(HtmlReport, HoldsWhatTheJsonReportHolds) {
  const std::vector<Report> runs = {good[0], bad[0]};
  EXPECT_EQ(unpacked(Json::parse(data_of(html_report(runs)))), Json::parse(json_report(runs)));
}

// JSON.parse rounds what is above 2^53.
TEST_F(HtmlReport, HoldsWhatJavaScriptWouldRoundAsText) {
  good[0].generated.emplace().seed = 18446744073709551615u;
  good[0].laws.resize(1);
  good[0].laws[0].seed = 9007199254740993;
  const Json run = Json::parse(data_of(html_report(good)))["runs"][0];
  EXPECT_EQ(run["generated"]["seed"], "18446744073709551615");
  EXPECT_EQ(run["laws"][0]["seed"], "9007199254740993");
}

TEST_F(HtmlReport, HoldsTheRatiosOfTheRunThatTheyAreOf) {
  std::vector<Report> runs = {good[0], bad[0]};
  runs[1].performance = {{"./libfake.so",
                          "abc",
                          "a machine",
                          {"Nothing is slower."},
                          {{"the baseline",
                            {{"copy", Speed::slower, "", 1.5, {{1.25, 1.75}}},
                             {"view", Speed::not_asserted, "too few", 1.1},
                             {"wrong", Speed::not_measured, "</script>"}}}}}};
  const Json report = Json::parse(data_of(html_report(runs)));
  EXPECT_FALSE(report["runs"][0].contains("performance"));
  const Json expected = Json::parse(R"([{"library": "./libfake.so", "machine": "a machine",
    "notes": ["Nothing is slower."], "ratios": [{"over": "the baseline", "rows": [
      {"workload": "copy", "speed": "slower", "why": "", "ratio": 1.5, "interval": [1.25, 1.75]},
      {"workload": "view", "speed": "not asserted", "why": "too few", "ratio": 1.1},
      {"workload": "wrong", "speed": "not measured", "why": "</script>"}]}]}])");
  EXPECT_EQ(report["runs"][1]["performance"], expected);
  // The machine-readable reports do not include it.
  EXPECT_FALSE(Json::parse(json_report(runs))["runs"][1].contains("performance"));
}

TEST_F(HtmlReport, IsOneFileThatFetchesNothing) {
  const std::string page = html_report(good);
  expect_in(page, "default-src 'none'");
  expect_in(page, "script-src 'sha256-");
  for (const char* outside : {"<link", " src=\"", "@import", "url(", "@POLICY@", "@SCRIPTS@"}) {
    EXPECT_EQ(page.substr(0, page.find("<body")).find(outside), std::string::npos) << outside;
  }
}

TEST_F(HtmlReport, TextOfALibraryEndsNoScript) {
  const std::string hostile =
      "</script><script>document.title='taken'</script><!-- <img src=x onerror=alert(1)> \"'\\ "
      "\x01";
  bad[0].capabilities.name = hostile;
  bad[0].cases[0].answered = hostile + std::string(1 << 20, 'x');
  const std::string page = html_report(bad);
  const std::string data = data_of(page);
  EXPECT_EQ(data.find('<'), std::string::npos);
  const Json report = unpacked(Json::parse(data));
  EXPECT_EQ(report["runs"][0]["cases"].size(), bad[0].cases.size());
  const std::string name = report["runs"][0]["implementation"]["name"];
  EXPECT_EQ(name.rfind("</script><script>", 0), 0u);
}

}  // namespace
}  // namespace reshape::conformance
