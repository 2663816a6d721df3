#include "conformance/command/read_ratios.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "conformance/performance/gate_report.h"

namespace reshape::conformance {
namespace {

using nlohmann::json;
using namespace performance;

// A comparison as `compare --json` writes it, with a workload for each verdict.
GateReport comparison() {
  GateReport report;
  report.result.arms = {{Role::baseline, "old.so", 0}, {Role::candidate, "new.so", 0}};
  const auto add = [&](const std::string& name, Finding finding, double ratio, bool interval) {
    Estimate one{finding, std::log(ratio), std::nullopt, 0.01, 20};
    if (interval) one.interval = {std::log(ratio * 0.98), std::log(ratio * 1.02)};
    report.result.workloads.push_back({name, 100, {{}, one}, {"", ""}, {false, false}});
  };
  add("slow", Finding::regressed, 1.5, true);
  add("fast", Finding::improved, 0.5, true);
  add("same", Finding::pass, 1, true);
  add("noisy", Finding::unresolved, 1.1, true);
  add("few", Finding::unresolved, 1.2, false);
  add("wrong", Finding::unresolved, 1, false);
  report.result.workloads.back().failures[1] = "the answer is wrong";
  report.digests = {"123", "abc"};
  report.decision = {1, "1 workload is slower"};
  return report;
}

TEST(Ratios, OfAComparisonAreWhatItFound) {
  const Result<Performance> read = read_ratios(json_text(comparison()), "f.json");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->library, "new.so");
  EXPECT_EQ(read->digest, "abc");
  EXPECT_EQ(read->notes, std::vector<std::string>{"1 workload is slower"});
  ASSERT_EQ(read->ratios.size(), 1u);
  EXPECT_EQ(read->ratios[0].over, "the baseline, old.so");
  const std::vector<TimeRatio>& rows = read->ratios[0].rows;
  ASSERT_EQ(rows.size(), 6u);
  const Speed speeds[] = {Speed::slower,       Speed::faster,       Speed::not_slower,
                          Speed::not_asserted, Speed::not_asserted, Speed::not_measured};
  for (std::size_t at = 0; at < rows.size(); ++at) {
    EXPECT_EQ(rows[at].speed, speeds[at]) << rows[at].workload;
  }
  EXPECT_NEAR(rows[0].ratio, 1.5, 1e-9);
  EXPECT_NEAR(rows[0].interval->first, 1.47, 1e-9);
  EXPECT_NEAR(rows[0].interval->second, 1.53, 1e-9);
  EXPECT_FALSE(rows[4].interval);
  EXPECT_NE(rows[4].why, rows[3].why);
  EXPECT_EQ(rows[5].why, "the answer is wrong");
}

// Repetitions of one workload: ours takes `over` times as long as the best copy, a peer half of it.
json bench(double over, int repetitions) {
  json read = {{"context",
                {{"identity", "this machine"},
                 {"library", "new.so"},
                 {"peers", "other,never"},
                 {"library_sha256", "abc"}}},
               {"benchmarks", json::array()}};
  for (int at = 0; at < repetitions; ++at) {
    const double value = over * (1 + 0.001 * at);
    read["benchmarks"].push_back({{"run_type", "iteration"},
                                  {"workload", "copy"},
                                  {"real_time", 1000},
                                  {"fraction_of_best_copy", 1 / value},
                                  {"other", 2 / value}});
  }
  return read;
}

TEST(Ratios, OfABenchAreOverTheBestCopyAndOverEachPeer) {
  const Result<Performance> read = read_ratios(bench(1.2, 20).dump(), "f.json");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->digest, "abc");
  ASSERT_EQ(read->ratios.size(), 2u);
  const TimeRatio& copy = read->ratios[0].rows.at(0);
  EXPECT_EQ(copy.speed, Speed::slower);
  EXPECT_NEAR(copy.ratio, 1.2, 0.02);
  EXPECT_LT(copy.interval->first, copy.ratio);
  EXPECT_EQ(read->ratios[1].over, "other, timed beside it");
  EXPECT_NEAR(read->ratios[1].rows.at(0).ratio, 2, 1e-9);
  EXPECT_EQ(read_ratios(bench(0.5, 20).dump(), "f")->ratios[0].rows[0].speed, Speed::faster);
  // Three repetitions are too few for a confidence interval, so nothing is asserted.
  const Result<Performance> few = read_ratios(bench(2, 3).dump(), "f.json");
  EXPECT_EQ(few->ratios[0].rows[0].speed, Speed::not_asserted);
  EXPECT_FALSE(few->ratios[0].rows[0].interval);
}

TEST(Ratios, APeerThatWasWrongOnceHasNone) {
  json read = bench(1.2, 20);
  read["benchmarks"][7]["other"] = 0;
  EXPECT_EQ(read_ratios(read.dump(), "f.json")->ratios.size(), 1u);
}

TEST(Ratios, OfAnotherFileAreRefusedInOneSentence) {
  const auto refused = [](const std::string& text, const std::string& words) {
    const Result<Performance> read = read_ratios(text, "f.json");
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().text().find(words), std::string::npos) << read.error().text();
    EXPECT_NE(read.error().text().find("f.json"), std::string::npos) << read.error().text();
  };
  const json right = json::parse(json_text(comparison()));
  const auto changed = [&](const char* pointer, const json& value) {
    json other = right;
    other[json::json_pointer(pointer)] = value;
    return other.dump();
  };
  refused("", "is no JSON");
  for (const char* text : {"[]", "7", "{}", "{\"benchmarks\": 7}", "{\"runs\": []}"}) {
    refused(text, "is no result of");
  }
  refused(changed("/arms/1/name", "same again"), "calibration");
  refused(changed("/workloads/0/arms/candidate/verdict", "GOOD"), "is no result of");
  refused(changed("/workloads/0/arms/candidate/ratio", 0), "'slow' has a ratio that is none");
  refused(changed("/workloads/0/arms/candidate/lower", 1.6), "'slow' has a ratio that is none");
  refused(changed("/workloads/0/arms/candidate/upper", "much"), "is no result of");
  refused(changed("/workloads", json::array()), "has no ratio in it");
}

}  // namespace
}  // namespace reshape::conformance
