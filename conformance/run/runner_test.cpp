#include "conformance/run/runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <thread>

#include "conformance/run/gathering.h"
#include "conformance/run/testing/small_suite.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using testing::FakeAdapter;
using testing::right_answer;
using testing::starts;
using testing::whole;

class Runner : public ::testing::Test {
 protected:
  const Suite suite = testing::small_suite();
};

TEST_F(Runner, EveryPlannedCaseHasOneVerdictInOrder) {
  const RunResult result = testing::run_all(suite);
  ASSERT_EQ(result.cases.size(), 10u);
  for (std::size_t index = 0; index < 10; ++index) {
    EXPECT_EQ(result.cases[index].asked, &suite.documents[index / 5].cases[index % 5]);
    EXPECT_TRUE(result.cases[index].executed);
    EXPECT_EQ(result.cases[index].verdict.kind, Verdict::Kind::pass) << index;
  }
  EXPECT_TRUE(result.cases_conform());
  EXPECT_EQ(result.suite_version, "9.8.7");
  EXPECT_EQ(result.contract_version, kContractVersion);
  EXPECT_EQ(result.capabilities.name, "fake");
}

TEST_F(Runner, AFailureDoesNotConformAndSaysWhy) {
  const RunResult result = testing::run_all(suite, [](const Request& request) {
    Outcome outcome = right_answer(request);
    if (outcome.kind == Outcome::Kind::rejected) {
      outcome.kind = Outcome::Kind::produced;
      outcome.shape = {2, 5};
    }
    return outcome;
  });
  EXPECT_FALSE(result.cases_conform());
  EXPECT_EQ(tallies(result).all.fail, 2);
  const CaseResult& failure = result.cases[3];
  EXPECT_EQ(failure.asked->id, "one/too-many");
  EXPECT_EQ(failure.verdict.faults.at(0).clause, "volume.kept");
  EXPECT_EQ(failure.answered, "produced [2,5]");
  EXPECT_FALSE(failure.because.empty());
  EXPECT_TRUE(result.cases[0].because.empty());
}

// If the memory for one request's tensors is missing, the others are still asked, and it is
// reported.
TEST_F(Runner, WhatCouldNotBeAskedStopsNothingAndIsNoPass) {
  const RunResult result = testing::run_all(suite, [asked = 0](const Request& request) mutable {
    return ++asked == 3 ? not_asked("the machine refused it") : right_answer(request);
  });
  EXPECT_EQ(tallies(result).all.executed, 9);
  EXPECT_FALSE(result.cases[2].executed);
  EXPECT_EQ(result.cut_short, "not asked: the machine refused it");
}

TEST_F(Runner, OutsideTheDescriptionIsSkippedWithTheReasonAndNotAsked) {
  Capabilities capabilities = testing::everything();
  capabilities.element_types = {ElementType::f32};
  std::atomic<int> asked = 0;
  FakeAdapter adapter(
      [&](const Request& request) {
        ++asked;
        EXPECT_EQ(request.data_type, ElementType::f32);
        return right_answer(request);
      },
      capabilities);
  const RunResult result = *run(whole(suite), adapter, starts());
  EXPECT_EQ(asked, 6);
  const Tally all = tallies(result).all;
  EXPECT_EQ(all.planned, 10);
  EXPECT_EQ(all.executed, 6);
  EXPECT_EQ(all.unsupported, 4);
  EXPECT_FALSE(result.cases[1].executed);
  EXPECT_EQ(result.cases[1].verdict.reason, "element type i64 is not declared");
  EXPECT_EQ(tallies(result).skipped.at("element type i64 is not declared"), 2);
}

TEST_F(Runner, JobsShareTheCasesAndTheOrderStays) {
  for (int jobs : {1, 2, 7, 100}) {
    Plan plan = whole(suite);
    plan.jobs = jobs;
    std::atomic<int> asked = 0;
    const testing::Answers answers = [&](const Request& request) {
      ++asked;
      std::this_thread::yield();
      return right_answer(request);
    };
    FakeAdapter first(answers);
    const RunResult result = *run(plan, first, starts(answers));
    EXPECT_EQ(asked, 10);
    ASSERT_EQ(result.cases.size(), 10u);
    for (std::size_t index = 0; index < 10; ++index) {
      EXPECT_EQ(result.cases[index].asked, plan.cases[index]);
    }
  }
}

TEST_F(Runner, AnAdapterServesOneThreadOnly) {
  Plan plan = whole(suite);
  plan.jobs = 4;
  FakeAdapter first;
  std::set<std::thread::id> threads;
  std::mutex mutex;
  const StartAdapter start = [&]() -> Result<std::unique_ptr<Adapter>> {
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(threads.insert(std::this_thread::get_id()).second);
    EXPECT_NE(std::this_thread::get_id(), std::thread::id());
    return std::unique_ptr<Adapter>(std::make_unique<FakeAdapter>());
  };
  EXPECT_TRUE(run(plan, first, start)->cases_conform());
  EXPECT_EQ(threads.size(), 3u);
}

TEST_F(Runner, EveryJobWorks) {
  Plan plan = whole(suite);
  plan.jobs = 2;
  std::atomic<int> by_other = 0;
  std::atomic<bool> first_has_one = false;
  // The first adapter holds its first case until the other has answered all the rest, and the other
  // one waits until the first has a case.
  FakeAdapter first([&](const Request& request) {
    first_has_one = true;
    while (by_other < 9) std::this_thread::yield();
    return right_answer(request);
  });
  const RunResult result = *run(plan, first, starts([&](const Request& request) {
                                  while (!first_has_one) std::this_thread::yield();
                                  ++by_other;
                                  return right_answer(request);
                                }));
  EXPECT_TRUE(result.cases_conform());
  EXPECT_EQ(by_other, 9);
}

Outcome no_answer(bool kept_from_it) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::timed_out;
  outcome.kept_from_it = kept_from_it;
  return outcome;
}

TEST_F(Runner, WhoWasKeptFromItsWorkIsAskedOnceMoreAlone) {
  for (const bool kept : {true, false}) {
    FakeAdapter busy([&](const Request& request) {
      return request.data_type == ElementType::i64 ? no_answer(kept) : right_answer(request);
    });
    const RunResult result = *run(whole(suite), busy, starts());
    EXPECT_EQ(tallies(result).all.fail, kept ? 0 : 2);
    EXPECT_EQ(result.cases[1].answered, kept ? "produced [2,2]" : "timed out");
  }
}

// Else a library would be asked by what its first process declares, and judged by less.
TEST_F(Runner, ALaterProcessIsJudgedByWhatTheFirstDeclared) {
  class DeclaresLess : public Adapter {
   public:
    DeclaresLess() { own_.element_types = {ElementType::f32}; }
    const Capabilities& capabilities() const override { return own_; }
    void hold_to(const Capabilities& first) override { own_ = first; }
    Outcome ask(const Request&) override {
      Outcome outcome;
      outcome.kind = Outcome::Kind::unsupported;
      outcome.message = "not today";
      return outcome;
    }

   private:
    Capabilities own_ = testing::everything();
  };
  FakeAdapter busy([&](const Request& request) {
    return request.data_type == ElementType::i64 ? no_answer(true) : right_answer(request);
  });
  const RunResult result = *run(whole(suite), busy, testing::starts_a<DeclaresLess>());
  EXPECT_EQ(tallies(result).all.fail, 2);
  EXPECT_EQ(result.cases[1].answered, "unsupported (not today)");
}

// The second request that a process is asked is never answered, however quiet the machine.
TEST_F(Runner, AHangThatComesOfEarlierRequestsIsNotTakenBack) {
  class StopsAtTheSecond : public Adapter {
   public:
    const Capabilities& capabilities() const override { return capabilities_; }
    Outcome ask(const Request& request) override {
      lines_->push_back(print_line(request));
      return lines_->size() == 2 ? no_answer(true) : right_answer(request);
    }
    AskedBefore asked_before() const override { return {lines_, lines_->size() - 1}; }

   private:
    Capabilities capabilities_ = testing::everything();
    std::shared_ptr<std::vector<std::string>> lines_ = std::make_shared<std::vector<std::string>>();
  };
  StopsAtTheSecond first;
  const RunResult result = *run(whole(suite), first, testing::starts_a<StopsAtTheSecond>());
  EXPECT_EQ(tallies(result).all.fail, 1);
  EXPECT_EQ(result.cases[1].answered, "timed out");
}

TEST_F(Runner, WhatHangsAloneAsWellIsNotWaitedForAgainAndAgain) {
  int asked = 0;
  const testing::Answers hangs = [&](const Request&) {
    ++asked;
    return no_answer(true);
  };
  FakeAdapter busy(hangs);
  const RunResult result = *run(whole(suite), busy, starts(hangs));
  EXPECT_EQ(tallies(result).all.fail, 10);
  EXPECT_EQ(asked, 12);
}

TEST_F(Runner, AVerdictTooManyOrTooFewIsFoundOut) {
  const std::vector<const Case*> planned = whole(suite).cases;
  const std::function<void(const Progress&)> no_progress;
  const auto result_of = [](const Case* one) {
    CaseResult result;
    result.asked = one;
    return result;
  };
  const auto outcome = [&](const std::vector<std::pair<std::size_t, std::size_t>>& puts) {
    Gathering gathering(planned, no_progress);
    for (const auto& [place, one] : puts) gathering.put(place, result_of(planned[one]));
    const Result<std::vector<CaseResult>> taken = std::move(gathering).take();
    return taken ? std::to_string(taken->size()) : taken.error().message;
  };
  std::vector<std::pair<std::size_t, std::size_t>> puts;
  for (std::size_t place = 10; place-- > 0;) puts.emplace_back(place, place);
  EXPECT_EQ(outcome(puts), "10");
  puts.emplace_back(3, 3);
  EXPECT_EQ(outcome(puts), "internal error: case one/too-many got two verdicts");
  puts.pop_back();
  puts.pop_back();
  EXPECT_EQ(outcome(puts), "internal error: case one/plain got no verdict of its own");
  puts.emplace_back(0, 1);
  EXPECT_EQ(outcome(puts), "internal error: case one/plain got no verdict of its own");
}

TEST_F(Runner, AJobThatDoesNotStartLeavesItsWorkToTheRest) {
  Plan plan = whole(suite);
  plan.jobs = 4;
  FakeAdapter first;
  const StartAdapter never = []() -> Result<std::unique_ptr<Adapter>> {
    return Error{"only one at a time"};
  };
  const RunResult result = *run(plan, first, never);
  EXPECT_EQ(result.cases.size(), 10u);
  EXPECT_TRUE(result.cases_conform());
}

TEST_F(Runner, ShardsTogetherAreTheWholeRun) {
  std::multiset<std::string> ids;
  for (int index = 1; index <= 3; ++index) {
    Plan plan = whole(suite);
    plan.shard = {index, 3};
    FakeAdapter first;
    const RunResult result = *run(plan, first, starts());
    for (const CaseResult& one : result.cases) ids.insert(one.asked->id);
    EXPECT_TRUE(result.cases_conform());
  }
  std::multiset<std::string> all;
  for (const Case* one : whole(suite).cases) all.insert(one->id);
  EXPECT_EQ(ids, all);
}

TEST_F(Runner, ProgressCountsEveryCaseOnce) {
  Capabilities capabilities = testing::everything();
  capabilities.element_types = {ElementType::f32, ElementType::boolean};
  Plan plan = whole(suite);
  std::vector<Progress> seen;
  plan.progress = [&](const Progress& progress) { seen.push_back(progress); };
  FakeAdapter first([](const Request&) { return Outcome(); }, capabilities);
  ASSERT_TRUE(run(plan, first, starts()));
  ASSERT_EQ(seen.size(), 10u);
  for (int index = 0; index < 10; ++index) {
    EXPECT_EQ(seen[static_cast<std::size_t>(index)].done, index + 1);
    EXPECT_EQ(seen[static_cast<std::size_t>(index)].planned, 10);
  }
  EXPECT_EQ(seen.back().failed, 8);
}

// ---- clauses that nothing was asked about

class UnaskedClauses : public Runner {
 protected:
  // Everything but i64 and boolean; then volume.kept can be taken away as well.
  RunResult run_with(ElementTypes types, std::vector<std::string> waived = {}, Shard shard = {}) {
    Capabilities capabilities = testing::everything();
    capabilities.element_types = types;
    Plan plan = whole(suite);
    plan.waived = std::move(waived);
    plan.shard = shard;
    FakeAdapter first(right_answer, capabilities);
    return *run(plan, first, starts());
  }
};

TEST_F(UnaskedClauses, AreRed) {
  const RunResult result = run_with({ElementType::i64});
  EXPECT_FALSE(result.cases_conform());
  ASSERT_EQ(result.unasked.size(), 4u);
  EXPECT_EQ(result.unasked[1].dialect, "one");
  EXPECT_EQ(result.unasked[1].clause, "volume.kept");
  EXPECT_EQ(result.unasked[1].cases, 1);
  EXPECT_EQ(result.unasked[1].reason, "element type f32 is not declared");
  EXPECT_TRUE(result.unasked[1].red());
}

TEST_F(UnaskedClauses, ThatBindNobodyAreOnlyTold) {
  const RunResult result = run_with({ElementType::f32});
  ASSERT_EQ(result.unasked.size(), 2u);
  EXPECT_EQ(result.unasked[0].clause, "data.type-open");
  EXPECT_FALSE(result.unasked[0].red());
  EXPECT_TRUE(result.cases_conform());
}

TEST_F(UnaskedClauses, CanBeWaived) {
  EXPECT_TRUE(run_with({ElementType::i64}, {"volume.kept"}).cases_conform());
  EXPECT_TRUE(run_with({ElementType::i64}, {"one/volume.*", "two/volume.kept"}).cases_conform());
  EXPECT_FALSE(run_with({ElementType::i64}, {"one/volume.kept"}).cases_conform());
}

TEST_F(UnaskedClauses, AreTheSameInEveryShard) {
  for (int index = 1; index <= 6; ++index) {
    EXPECT_EQ(run_with({ElementType::i64}, {}, {index, 6}).unasked.size(), 4u);
    EXPECT_TRUE(run_with({ElementType::f32}, {}, {index, 6}).cases_conform());
  }
}

// ---- what is done at the first use

class AtFirstUse : public Runner {
 protected:
  // Every third request is the first of its process.
  RunResult run_with(std::vector<std::string> waived = {}, int jobs = 1) {
    std::atomic<int> asked = 0;
    const auto answers = [&](const Request& request) {
      Outcome outcome = right_answer(request);
      if (asked++ % 3 == 0) {
        outcome.at_first_use = {
            {CaughtBy::threads, Plane::memory, Duty::C14, "4 more threads"},
            {CaughtBy::signal_handlers, Plane::memory, Duty::C14, "SIGSEGV was taken"}};
      }
      return outcome;
    };
    Plan plan = whole(suite);
    plan.waived = std::move(waived);
    plan.jobs = jobs;
    FakeAdapter first(answers);
    return *run(plan, first, starts(answers));
  }
};

TEST_F(AtFirstUse, EachFaultIsToldOnceAndOfNoCase) {
  for (int jobs : {1, 3}) {
    const RunResult result = run_with({}, jobs);
    for (const CaseResult& one : result.cases) EXPECT_FALSE(one.failed());
    ASSERT_EQ(result.at_first_use.size(), 2u);
    EXPECT_EQ(result.at_first_use[0].seen.watch, CaughtBy::signal_handlers);
    EXPECT_EQ(result.at_first_use[1].seen.saw, "4 more threads");
    EXPECT_FALSE(result.cases_conform());
  }
}

TEST_F(Runner, WhatALaterProcessDeclaresOtherwiseIsNeverWaived) {
  const auto answers = [](const Request& request) {
    Outcome outcome = right_answer(request);
    outcome.at_first_use = {{CaughtBy::same_answer, Plane::memory, Duty::C2, "it declares less"}};
    return outcome;
  };
  Plan plan = whole(suite);
  plan.waived = {"process-start", "process-start/same-answer"};
  FakeAdapter first(answers);
  const RunResult result = *run(plan, first, starts(answers));
  ASSERT_EQ(result.at_first_use.size(), 1u);
  EXPECT_FALSE(result.at_first_use[0].waived);
  EXPECT_FALSE(result.cases_conform());
}

// An adapter whose process dies when it is asked to end.
class DiesAtTheEnd final : public Adapter {
 public:
  const Capabilities& capabilities() const override { return right_.capabilities(); }
  Outcome ask(const Request& request) override { return right_.ask(request); }
  std::optional<BadEnd> end_process() override { return BadEnd{"died of SIGABRT (abort)", false}; }

 private:
  FakeAdapter right_;
};

TEST_F(Runner, TellsOnceThatProcessesEndBadly) {
  DiesAtTheEnd first;
  Plan plan = whole(suite);
  plan.jobs = 3;
  const Result<RunResult> result = run(plan, first, testing::starts_a<DiesAtTheEnd>());
  ASSERT_EQ(result->at_first_use.size(), 1u);
  EXPECT_EQ(result->at_first_use[0].seen.saw,
            "asked to end after its cases, its process died of SIGABRT (abort)");
  EXPECT_FALSE(result->cases_conform());
}

TEST_F(AtFirstUse, CanBeWaived) {
  EXPECT_TRUE(run_with({"process-start"}).cases_conform());
  EXPECT_TRUE(run_with({"process-start/threads", "process-start/signal-*"}).cases_conform());
  EXPECT_FALSE(run_with({"process-start/threads"}).cases_conform());
}

}  // namespace
}  // namespace reshape::conformance
