#include "conformance/report/join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "conformance/run/testing/small_suite.h"
#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance {
namespace {

// Refuses everything of two sizes and more.
Outcome wrong_answer(const Request& request) {
  if (request.data.rank() < 2) return testing::right_answer(request);
  Outcome outcome;
  outcome.kind = Outcome::Kind::rejected;
  return outcome;
}

class Join : public ::testing::Test {
 protected:
  Part part(const std::string& shard, testing::Answers answers = testing::right_answer) const {
    Plan plan = testing::whole(suite);
    plan.shard = *parse_shard(shard);
    testing::FakeAdapter adapter(answers);
    RunResult result = *run(plan, adapter, testing::starts(answers));
    result.program_version = "1.2.3";
    result.options.library = "./libfake.so";
    result.library_digest = std::string(64, 'a');
    result.options.shard = shard;
    result.whole = whole_of(plan.cases);
    return {shard + ".json", Report(std::move(result))};
  }
  std::vector<Part> parts(testing::Answers answers = testing::right_answer) const {
    return {part("2/3", answers), part("1/3", answers), part("3/3", answers)};
  }
  static Part& one_with_cases(std::vector<Part>& parts) {
    return *std::ranges::find_if(parts, [](const Part& one) { return !one.result.cases.empty(); });
  }
  // What is said of three parts of which the second was changed.
  std::string error_with(const std::function<void(Part&)>& change) const {
    std::vector<Part> changed = parts();
    change(changed[1]);
    return error_of(std::move(changed));
  }
  static std::string error_of(std::vector<Part> parts) {
    const Result<Report> run = joined(std::move(parts));
    return run ? "none" : run.error().text();
  }

  const Suite suite = testing::small_suite();
};

TEST_F(Join, IsTheRunThatItsPartsAreOf) {
  for (const testing::Answers& answers :
       {testing::Answers(testing::right_answer), testing::Answers(wrong_answer)}) {
    const RunResult whole = testing::run_all(suite, answers);
    const Result<Report> run = joined(parts(answers));
    ASSERT_TRUE(run) << run.error().text();
    EXPECT_EQ(run->conforming(), whole.cases_conform());
    EXPECT_EQ(run->options.shard, "");
    EXPECT_FALSE(run->whole);
    ASSERT_EQ(run->cases.size(), whole.cases.size());
    for (std::size_t at = 0; at < whole.cases.size(); ++at) {
      EXPECT_EQ(run->cases[at].asked, whole.cases[at].asked);
      EXPECT_EQ(run->cases[at].answered, whole.cases[at].answered);
      EXPECT_EQ(run->cases[at].failed(), whole.cases[at].failed());
    }
  }
  EXPECT_TRUE(joined({part("1/1")}));
}

TEST_F(Join, OneFailingPartFailsTheWhole) {
  std::vector<Part> some = parts();
  Part& one = one_with_cases(some);
  one = part(one.result.options.shard, wrong_answer);
  EXPECT_FALSE(joined(std::move(some))->conforming());
}

TEST_F(Join, MissingAndDoubledPartsAreRefused) {
  EXPECT_EQ(error_of({}), "there is no part to join");
  EXPECT_EQ(error_of({part("2/4"), part("3/4")}),
            "missing of the run that 2/4.json is a part of: 1/4, 4/4");
  Part again = part("2/3");
  again.file = "again.json";
  std::vector<Part> four = parts();
  four.push_back(again);
  EXPECT_EQ(error_of(std::move(four)), "again.json: part 2/3 is there twice, in 2/3.json too");
  EXPECT_EQ(error_of({part("1/2"), part("2/3")}),
            "2/3.json: it is one of 3 parts, and 1/2.json one of 2");
}

TEST_F(Join, PartsOfAnotherRunAreRefused) {
  const std::string other = "1/3.json: it is a part of another run than 2/3.json: ";
  EXPECT_EQ(error_with([](Part&) {}), "none");
  EXPECT_EQ(error_with([](Part& part) { part.result.options.shard.clear(); }),
            "1/3.json: it is no part of a run, which run --shard I/N --json writes");
  EXPECT_EQ(error_with([](Part& part) { part.result.suite_version = "9.8.6"; }),
            other + "the suite there is 9.8.7, here 9.8.6");
  EXPECT_EQ(error_with([](Part& part) { part.result.program_version = "1.2.4"; }),
            other + "the program there is 1.2.3, here 1.2.4");
  // The same file may lie elsewhere.
  EXPECT_EQ(error_with([](Part& part) { part.result.options.library = "./libother.so"; }), "none");
  EXPECT_EQ(error_with([](Part& part) { part.result.library_digest = "bb"; }),
            other + "the SHA-256 of the library there is " + std::string(64, 'a') + ", here bb");
  EXPECT_EQ(error_with([](Part& part) { part.result.library_digest.clear(); }),
            "1/3.json: it does not say the SHA-256 of the library ./libfake.so");
  EXPECT_EQ(error_with([](Part& part) { part.result.library_changed = true; }),
            "1/3.json: the library ./libfake.so changed while it was asked");
  EXPECT_EQ(error_with([](Part& part) { part.result.capabilities.version = "0.2"; }),
            other + "the implementation there is fake 0.1, here fake 0.2");
  EXPECT_EQ(error_with([](Part& part) { part.result.options.tier = "quick"; }),
            other + "the --tier there is none, here quick");
  EXPECT_EQ(error_with([](Part& part) { part.result.options.dialects = {"one", "two"}; }),
            other + "the --dialect there is none, here one two");
  EXPECT_EQ(error_with([](Part& part) { ++part.result.whole->digest; }),
            other + "as many cases, but other requests, answers or clauses");
}

// A command is no file that could have been exchanged.
TEST_F(Join, PartsOfACommandNeedNoDigest) {
  std::vector<Part> some = parts();
  for (Part& one : some) {
    one.result.options.library = "child:python3 mine.py";
    one.result.library_digest.clear();
  }
  EXPECT_TRUE(joined(std::move(some)));
}

TEST_F(Join, CasesThatWereTakenOutOrPutInAreFound) {
  std::vector<Part> some = parts();
  one_with_cases(some).result.cases.pop_back();
  EXPECT_EQ(
      error_of(std::move(some)),
      "the parts hold 9 cases that are not the 10 of their run: something was changed in them");
  some = parts();
  some[0].result.options.shard = "1/3";
  some[1].result.options.shard = "2/3";
  expect_in(error_of(std::move(some)), "does not belong to part");
  some = parts();
  std::vector<CaseResult>& cases = one_with_cases(some).result.cases;
  cases.push_back(cases.front());
  const std::string twice = "case " + cases.front().asked->id + " is there twice";
  EXPECT_EQ(error_of(std::move(some)), twice);
}

TEST_F(Join, TheDigestIsOfWhatIsAskedAndNotOfItsOrder) {
  std::vector<const Case*> cases = testing::whole(suite).cases;
  const Whole whole = whole_of(cases);
  std::swap(cases[0], cases[1]);
  EXPECT_EQ(whole_of(cases), whole);
  const std::vector<std::function<void(Case&)>> changes = {
      [](Case& one) { one.id += "x"; }, [](Case& one) { one.request.data = {3, 2}; },
      [](Case& one) { one.expect = Ruling::produces({6}); },
      [](Case& one) { one.clauses.pop_back(); }};
  for (const auto& change : changes) {
    Case other = *cases[0];
    change(other);
    std::vector<const Case*> changed = cases;
    changed[0] = &other;
    EXPECT_NE(whole_of(changed), whole);
  }
}

TEST_F(Join, ALawThatOnePartBreaksIsBroken) {
  std::vector<Part> some = parts();
  LawResult law;
  law.name = "round-trip";
  for (Part& one : some) {
    one.result.laws = {law};
    one.result.whole->laws = 1;
  }
  some[0].result.laws[0].tried = 3;
  some[2].result.laws[0].broken = "it differs";
  const Result<Report> run = joined(std::move(some));
  ASSERT_TRUE(run) << run.error().text();
  ASSERT_EQ(run->laws.size(), 1u);
  EXPECT_EQ(run->laws[0].broken, "it differs");
  EXPECT_FALSE(run->conforming());
}

TEST_F(Join, LawsAreSharedAndNoneMayBeMissing) {
  std::vector<Part> some = parts();
  for (std::size_t at = 0; at < some.size(); ++at) {
    LawResult law;
    law.name = "law-" + std::to_string(at);
    some[at].result.laws = {law};
    some[at].result.whole->laws = 3;
  }
  std::vector<Part> fewer = some;
  fewer[1].result.laws.clear();
  EXPECT_EQ(joined(std::move(some))->laws.size(), 3u);
  EXPECT_EQ(error_of(std::move(fewer)), "the parts hold 2 laws that are not the 3 of their run");
  EXPECT_EQ(error_with([](Part& part) { part.result.whole->laws = 3; }),
            "1/3.json: it is a part of another run than 2/3.json: the count of laws there is 0, "
            "here 3");
}

TEST_F(Join, ACauseThatNoPartMeetsIsAFault) {
  std::vector<Part> some = parts();
  for (Part& one : some) one.result.unmet_causes = {"met in one", "met in none"};
  some[2].result.unmet_causes = {"met in none"};
  const Result<Report> run = joined(std::move(some));
  ASSERT_TRUE(run) << run.error().text();
  EXPECT_EQ(run->baseline_faults, std::vector<std::string>{"met in none"});
  EXPECT_FALSE(run->conforming());
}

}  // namespace
}  // namespace reshape::conformance
