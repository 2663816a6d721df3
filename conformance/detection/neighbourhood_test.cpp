// What is found around one failure of a mutant, whose condition is known here.
#include "conformance/detection/neighbourhood.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/detection/diagnose.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/run/runner.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::conformance {
namespace {

Case case_of(const std::string& line) {
  Case one;
  one.request = *parse_line(line);
  one.expect = ruling_of(*declared_dialect(one.request.dialect), one.request);
  return one;
}

class Neighbourhood : public ::testing::Test {
 protected:
  Neighbourhood() {
    for (const char* line : kPassing) {
      passed.emplace_back().asked = &cases.emplace_back(case_of(line));
      passed.back().verdict.kind = Verdict::Kind::pass;
    }
    for (const CaseResult& one : passed) passes.push_back(&one);
  }

  // Around the one failure that is known of `mutant`.
  Diagnosis::Around around_one(const std::string& mutant, const std::string& line,
                               const Diagnosis::Finding& finding = {}) {
    const auto adapter = start_adapter({"mutant:" + mutant});
    EXPECT_TRUE(adapter.ok());
    const Case failing = case_of(line);
    CaseResult result = ask(built_in_suite(), failing, **adapter);
    if (result.verdict.faults.empty()) result.verdict.faults.emplace_back();
    return around(built_in_suite(), finding, result, failures, passes, besides, **adapter,
                  std::chrono::steady_clock::now() + std::chrono::minutes(2));
  }

  static constexpr const char* kPassing[] = {
      "openvino-reshape-1 i64[1,4,1,1] i64[1,4,0,0,1,-1] special_zero=true",
      "openvino-reshape-1 f32[2,3,4] i64[4,6] special_zero=false",
      "openvino-reshape-1 i32[2,3,4] i64[0,-1] special_zero=true",
      "openvino-reshape-1 u8[7] i32[7,1] special_zero=false",
  };
  // Where a -1 stands at place 5, the pattern is 2 longer than the rank and the data's elements
  // have 32 bits, the first two sizes change places.
  static constexpr const char* kMutant = "random/77310/4";
  static constexpr const char* kFails =
      "openvino-reshape-1 i32[1,4,1,1] i64[1,4,0,0,1,-1] special_zero=true";

  std::deque<Case> cases;
  std::deque<CaseResult> passed;
  std::vector<const CaseResult*> failures, passes;
  std::vector<Request> besides;
};

TEST_F(Neighbourhood, OfOneFailureTellsWhatItHangsOn) {
  const Diagnosis::Around found = around_one(kMutant, kFails);
  EXPECT_GT(found.failed, 20);
  EXPECT_GT(found.passed, 20);
  EXPECT_LE(found.failed + found.passed, found.asked);
  EXPECT_NE(std::ranges::find(found.where, "elements of 32 bits"), found.where.end())
      << ::testing::PrintToString(found.where);
  ASSERT_TRUE(found.there);
  EXPECT_TRUE(found.there(*parse_line(kFails)));
  for (const char* line : kPassing) EXPECT_FALSE(found.there(*parse_line(line))) << line;
  // The -1 two places before the end, and a pattern as long as the rank.
  for (const char* line : {"openvino-reshape-1 i32[1,4,1,1] i64[1,4,0,-1,1,1] special_zero=true",
                           "openvino-reshape-1 i32[1,4,1,1] i64[1,4,0,-1] special_zero=true"}) {
    EXPECT_FALSE(found.there(*parse_line(line))) << ::testing::PrintToString(found.where) << line;
  }
}

// A condition that requests around it do without, and fail all the same, is none.
TEST_F(Neighbourhood, RefutesWhatAFewFailuresHadInCommonByChance) {
  Diagnosis::Finding finding;
  finding.there = [](const Request& request) { return request.data_type == ElementType::i32; };
  EXPECT_TRUE(around_one(kMutant, kFails, finding).refutes);
  finding.there = [](const Request& request) { return bits(request.data_type) == 32; };
  EXPECT_FALSE(around_one(kMutant, kFails, finding).refutes);
}

TEST_F(Neighbourhood, RefutesWhatManyFailuresHadInCommonByChance) {
  const auto adapter = start_adapter({std::string("mutant:") + kMutant});
  ASSERT_TRUE(adapter.ok());
  const Case failing = case_of(kFails);
  const CaseResult result = ask(built_in_suite(), failing, **adapter);
  const auto refuted = [&](bool (*there)(const Request&)) {
    Diagnosis::Finding finding;
    finding.there = there;
    return refuted_beside(built_in_suite(), finding, result, **adapter,
                          std::chrono::steady_clock::now() + std::chrono::minutes(1));
  };
  EXPECT_TRUE(refuted([](const Request& one) { return one.data_type == ElementType::i32; }));
  EXPECT_FALSE(refuted([](const Request& one) { return bits(one.data_type) == 32; }));
}

// However many are found around one that is of another kind.
TEST_F(Neighbourhood, SaysNothingThatAFewOtherFailuresRefute) {
  CaseResult other;
  other.asked = &cases[1];
  failures.assign(3, &other);
  const Diagnosis::Around found = around_one(kMutant, kFails);
  EXPECT_GT(found.failed, 20 * 3);
  EXPECT_TRUE(!found.there || found.there(cases[1].request));
}

TEST_F(Neighbourhood, CountsWhatFailsBesidesTheRun) {
  besides.push_back(*parse_line("openvino-reshape-1 i32[1] i64[1,1,-1] special_zero=true"));
  const Diagnosis::Around found = around_one(kMutant, kFails);
  EXPECT_EQ(found.failures, found.failed + 2);  // it, and the one besides
}

// What is found around one has to hold of the others that fail alike.
TEST_F(Neighbourhood, SaysNothingThatOtherFailuresRefute) {
  CaseResult other;
  other.asked = &cases[1];
  failures.assign(40, &other);
  const Diagnosis::Around found = around_one(kMutant, kFails);
  EXPECT_GT(found.failures, found.failed + 40);
  for (const std::string& one : found.where) EXPECT_NE(one, "the first -1 at axis 5");
  EXPECT_TRUE(!found.there || found.there(cases[1].request));
}

// Too slow to be asked of every known mistake, and not of the implementation itself.
TEST_F(Neighbourhood, OfALargeRequestIsAskedToo) {
  const std::string mutant = "mutant:backwards-in-whole-vectors";
  const auto adapter = start_adapter({mutant});
  ASSERT_TRUE(adapter.ok());
  Case large = case_of(
      "openvino-reshape-1 u8[131088] i64[131088] special_zero=true strides=[-1] offset=131087");
  large.id = "openvino-reshape-1/large";
  large.clauses = {"content.kept"};
  RunResult run;
  run.suite = &built_in_suite();
  run.cases.push_back(ask(*run.suite, large, **adapter));
  ASSERT_TRUE(run.cases.back().failed());
  DiagnosisOptions options;
  options.seconds = 8;
  const std::optional<Diagnosis> found = diagnose(run, {mutant}, options);
  ASSERT_TRUE(found && !found->findings.empty());
  EXPECT_GT(found->findings.front().around.failed, 2);
  EXPECT_GT(found->findings.front().around.passed, 2);
}

TEST_F(Neighbourhood, IsNotAskedWhereTheRequestDoesNotFailNow) {
  EXPECT_EQ(around_one("right", kFails).asked, 0);
}

TEST(FailsAlike, WhereTheSameClauseDoesNotRefuse) {
  Fault fault;
  fault.clause = "zero.past-rank";
  fault.duty = Duty::C4;
  Verdict verdict;
  verdict.kind = Verdict::Kind::fail;
  verdict.faults = {fault};
  Diagnosis::Finding finding;
  EXPECT_TRUE(fails_alike(verdict, fault, finding));
  verdict.faults.front().clause = "pattern.one-dimensional";
  EXPECT_FALSE(fails_alike(verdict, fault, finding));
  finding.clauses = {"pattern.one-dimensional", "zero.past-rank"};
  EXPECT_TRUE(fails_alike(verdict, fault, finding));
}

// One request may show in any execution what another shows only where the output overlaps the data.
TEST(FailsAlike, WhereElementsAreWrongHoweverItIsCalled) {
  Fault overlapping;
  overlapping.plane = Plane::bytes;
  overlapping.duty = Duty::C21;
  overlapping.watch = CaughtBy::bytes;
  Verdict verdict;
  verdict.kind = Verdict::Kind::fail;
  verdict.faults = {overlapping};
  verdict.faults.front().duty = Duty::C5;
  EXPECT_TRUE(fails_alike(verdict, overlapping));
  verdict.faults.front().duty = Duty::C17;
  EXPECT_FALSE(fails_alike(verdict, overlapping));
  verdict.faults.front().plane = Plane::memory;
  verdict.faults.front().duty = Duty::C7;
  verdict.faults.front().watch = CaughtBy::canaries;
  EXPECT_FALSE(fails_alike(verdict, overlapping));
}

}  // namespace
}  // namespace reshape::conformance
