// by_another_document() with answers by the rules of another document.
#include "conformance/detection/by_another_document.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "conformance/run/oracle.h"
#include "conformance/spec/load.h"

namespace reshape::conformance {
namespace {

constexpr const char* kAsked = "onnx-reshape-14";

constexpr const char* kNone = "";

// What is found if each request is answered by the rules of the dialect that `dialect_of` names, or
// refused where it names none.
std::vector<ByAnotherDocument> found(const std::function<std::string(const Request&)>& dialect_of,
                                     const char* asked = kAsked) {
  const Suite& suite = built_in_suite();
  RunResult result;
  result.suite = &suite;
  for (const Case& one : suite.document(asked)->cases) {
    Request as = one.request;
    as.dialect = dialect_of(as);
    Ruling said;
    said.kind = Ruling::Kind::rejects;
    if (as.dialect != kNone) {
      if (suite.document(as.dialect)->dialect.zero != ZeroRule::by_flag) as.special_zero.reset();
      said = oracle(suite, as)->ruling;
    }
    if (said.kind == Ruling::Kind::unspecified || one.expect.kind == Ruling::Kind::unspecified) {
      continue;
    }
    CaseResult came;
    came.asked = &one;
    came.executed = true;
    if (said.kind == Ruling::Kind::produces) {
      came.produced = said.shape;
      came.answered = "produced";
    } else {
      came.answered = "rejected (no)";
    }
    const bool right =
        came.produced ? one.expect.permits(*came.produced) : one.expect.permits_rejecting();
    if (!right) {
      came.verdict.kind = Verdict::Kind::fail;
      came.verdict.faults.push_back(
          {Plane::shape, "output.shape", Duty::C3, CaughtBy::shape, "", "", ""});
    }
    result.cases.push_back(std::move(came));
  }
  std::vector<const CaseResult*> failed;
  for (const CaseResult& one : result.cases) {
    if (one.failed()) failed.push_back(&one);
  }
  return by_another_document(result, failed);
}

TEST(ByAnotherDocument, IsNamedWhereItsRulesAreFollowed) {
  const auto all = found([](const Request&) { return "onnx-reshape-1"; });
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].dialect, kAsked);
  EXPECT_EQ(all[0].as.front(), "onnx-reshape-1");
  EXPECT_GE(all[0].failures, 4);
  EXPECT_EQ(all[0].failures_so, all[0].failures);
  EXPECT_EQ(all[0].passes_so, all[0].passes);
}

TEST(ByAnotherDocument, IsNotNamedWhereAllIsRight) {
  EXPECT_TRUE(found([](const Request&) { return kAsked; }).empty());
}

TEST(ByAnotherDocument, IsNotNamedWhereOnlySomeAnswersAreSo) {
  // The other rules only where nothing is 0: then passing answers contradict the other document.
  int turn = 0;
  EXPECT_TRUE(
      found([&](const Request&) { return ++turn % 3 == 0 ? "onnx-reshape-1" : kAsked; }).empty());
}

TEST(ByAnotherDocument, IsNotNamedWhereAllIsRefused) {
  // OpenVINO's document refuses what comes without a flag.
  constexpr const char* kWithoutFlag = "onnx-reshape-1";
  EXPECT_TRUE(found([](const Request&) { return kNone; }, kWithoutFlag).empty());
}

}  // namespace
}  // namespace reshape::conformance
