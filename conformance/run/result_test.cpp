#include "conformance/run/result.h"

#include <gtest/gtest.h>

#include "conformance/run/oracle.h"
#include "conformance/run/testing/small_suite.h"

namespace reshape::conformance {
namespace {

using testing::right_answer;

class Results : public ::testing::Test {
 protected:
  const Suite suite = testing::small_suite();
};

TEST_F(Results, AreCountedFromSeveralSides) {
  Capabilities capabilities = testing::everything();
  capabilities.dialects = {"one"};
  const RunResult result = testing::run_all(
      suite,
      [](const Request& request) {
        Outcome outcome = right_answer(request);
        if (request.data_type == ElementType::i64)
          outcome.executions[0].elements[0] ^= std::byte{1};
        if (request.data_type == ElementType::boolean) outcome.executions.clear();
        return outcome;
      },
      capabilities);
  const Tallies counts = tallies(result);
  EXPECT_EQ(counts.all.planned, 10);
  EXPECT_EQ(counts.all.executed, 5);
  EXPECT_EQ(counts.all.pass, 3);
  EXPECT_EQ(counts.all.fail, 1);
  EXPECT_EQ(counts.all.mistrusted, 1);
  EXPECT_EQ(counts.all.unsupported, 5);
  EXPECT_EQ(counts.by_dialect.at("one").executed, 5);
  EXPECT_EQ(counts.by_dialect.at("two").unsupported, 5);
  EXPECT_EQ((counts.by_clause.at({"one", "output.shape"}).planned), 3);
  EXPECT_EQ((counts.by_clause.at({"one", "content.kept"}).fail), 1);
  EXPECT_EQ(counts.by_type.at("f32").planned, 6);
  EXPECT_EQ(counts.by_type.at("i64").fail, 1);
  EXPECT_EQ(counts.by_plane.at("shape").pass, 5);
  EXPECT_EQ(counts.by_plane.at("bytes").fail, 1);
  EXPECT_EQ(counts.by_plane.at("bytes").pass, 2);
  EXPECT_EQ(counts.by_plane.at("bytes").not_asked, 7);
  EXPECT_EQ(counts.skipped, (std::map<std::string, int>{{"dialect two is not declared", 5}}));
}

TEST_F(Results, SayWhatWasChosenAtOpenPoints) {
  const RunResult result = testing::run_all(suite);
  const std::vector<Choice> chosen = choices(result);
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].dialect, "one");
  EXPECT_EQ(chosen[0].clause, "data.type-open");
  EXPECT_EQ(chosen[0].chose, "produced");
  EXPECT_EQ(chosen[0].cases, std::vector<std::string>{"one/open"});
}

TEST_F(Results, AWrongChoiceIsNone) {
  const RunResult result = testing::run_all(suite, [](const Request& request) {
    Outcome outcome = right_answer(request);
    if (request.data_type == ElementType::boolean)
      outcome.executions[0].elements[0] ^= std::byte{1};
    return outcome;
  });
  EXPECT_TRUE(choices(result).empty());
}

TEST_F(Results, ConformOnlyWithoutUnknownFailures) {
  RunResult result = testing::run_all(suite);
  ASSERT_TRUE(result.cases_conform());
  for (Known known : {Known::differs, Known::passes, Known::skipped}) {
    result.cases[2].known = known;
    EXPECT_FALSE(result.cases_conform());
  }
  result.cases[2].known = Known::failure;
  result.cases[2].verdict.kind = Verdict::Kind::fail;
  EXPECT_TRUE(result.cases_conform());
  result.baseline_faults = {"an entry matches nothing"};
  EXPECT_FALSE(result.cases_conform());
}

TEST_F(Results, OfNothingAreNotExecuted) {
  Capabilities capabilities = testing::everything();
  capabilities.dialects.clear();
  EXPECT_FALSE(testing::run_all(suite, right_answer, capabilities).some_executed());
  EXPECT_TRUE(testing::run_all(suite).some_executed());
}

TEST_F(Results, TheOracleAnswersForTheDocument) {
  const Request& request = suite.documents[0].cases[3].request;
  EXPECT_EQ(oracle(suite, request)->ruling, Ruling::rejects("volume.kept"));
  EXPECT_FALSE(last_step(suite, request).empty());
  Request foreign = request;
  foreign.dialect = "three";
  EXPECT_EQ(oracle(suite, foreign).error().message, "unknown dialect 'three'");
  EXPECT_EQ(last_step(suite, foreign), "");
}

// The hand-made suite agrees with the rules, so the tests here use correct cases.
TEST_F(Results, TheSmallSuiteIsTrue) {
  for (const Document& document : suite.documents) {
    for (const Case& one : document.cases) {
      EXPECT_EQ(oracle(suite, one.request)->ruling, one.expect) << one.id;
    }
  }
}

}  // namespace
}  // namespace reshape::conformance
