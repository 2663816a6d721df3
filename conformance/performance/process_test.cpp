#include "conformance/performance/process.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "conformance/performance/bench.h"
#include "conformance/performance/counts.h"
#include "conformance/performance/rounds.h"
#include "conformance/text/testing/expect_in.h"

// Real workers on implementations that are right, wrong, or deadly. Nothing depends on their speed.
namespace reshape::conformance::performance {
namespace {

Workload workload(Call call) {
  const std::string yaml = "workloads:\n  - {name: w, call: " + std::string(name(call)) +
                           ", ask: \"openvino-reshape-1 f32[16,16] i64[-1] special_zero=false\"}\n";
  return (*read_workloads(yaml, "w"))[0];
}

std::unique_ptr<WorkerProcess> start(const std::string& library, const std::string& variable,
                                     double deadline = 20) {
  Result<std::unique_ptr<WorkerProcess>> worker = WorkerProcess::start(
      {.start = {.library = library, .environment = {variable}}, .deadline_seconds = deadline});
  EXPECT_TRUE(worker.ok()) << worker.error().text();
  return worker ? std::move(worker).value() : nullptr;
}

std::unique_ptr<WorkerProcess> start_mutant(const std::string& mutant, double deadline = 20) {
  return start(RESHAPE_MUTANTS_LIBRARY, "RESHAPE_MUTANT=" + mutant, deadline);
}

WorkerCommand prepare(Call call) { return {.workload = workload(call), .thorough = true}; }

TEST(Worker, TimesBlocksOfTheRightAnswer) {
  const auto worker = start_mutant("right");
  ASSERT_TRUE(worker);
  EXPECT_EQ(worker->ask(prepare(Call::execute)).why, "");
  const Answer answer = worker->ask({.what = WorkerCommand::Do::turn, .calls = 3, .blocks = 4});
  EXPECT_EQ(answer.why, "");
  EXPECT_EQ(answer.blocks.size(), 4u);
}

TEST(Worker, AWrongAnswerIsFound) {
  const auto worker = start_mutant("two-elements-swapped");
  ASSERT_TRUE(worker);
  const Answer answer = worker->ask(prepare(Call::execute));
  EXPECT_TRUE(answer.wrong) << answer.why;
}

TEST(Worker, ACrashCostsOneWorkerAndIsSaid) {
  const auto worker = start_mutant("crashes-in-execute");
  ASSERT_TRUE(worker);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // they report it and exit
  constexpr const char* kEnd = "exit(";
#else
  constexpr const char* kEnd = "it died of SIG";
#endif
  for (int time = 0; time < 2; ++time) {
    expect_in(worker->ask(prepare(Call::execute)).why, kEnd);
  }
}

TEST(Worker, AHangEndsWithTheDeadline) {
  const auto worker = start_mutant("hangs", 2);
  ASSERT_TRUE(worker);
  const Answer answer = worker->ask(prepare(Call::infer));
  const Answer again = worker->ask(prepare(Call::execute));
  EXPECT_NE((answer.why + again.why).find("did not answer"), std::string::npos)
      << answer.why << again.why;
}

TEST(Worker, WhatIsNoLibraryIsSaid) {
  const auto worker = WorkerProcess::start({.start = {.library = "/no/such.so"}});
  ASSERT_FALSE(worker);
  expect_in(worker.error().text(), "/no/such.so");
}

TEST(Worker, CallersCallAtOnceAndAreAllLookedAt) {
  for (const char* mutant : {"right", "two-elements-swapped"}) {
    const auto worker = start_mutant(mutant);
    ASSERT_TRUE(worker);
    WorkerCommand command = prepare(Call::execute);
    command.workload.callers = 3;
    const Answer prepared = worker->ask(command);
    EXPECT_EQ(prepared.wrong, mutant != std::string("right")) << prepared.why;
    if (prepared.wrong) continue;
    EXPECT_EQ(worker->ask({.what = WorkerCommand::Do::turn, .calls = 5}).blocks.size(), 1u);
  }
}

TEST(Worker, TimesTheYardsticksOfEveryCall) {
  const auto worker = start_mutant("right");
  ASSERT_TRUE(worker);
  for (const Call call : {Call::execute, Call::infer}) {
    EXPECT_EQ(worker->ask(prepare(call)).why, "");
    const Answer answer = worker->ask({.what = WorkerCommand::Do::yardsticks});
    const std::string expected = call == Call::execute ? "memcpy" : "product loop";
    ASSERT_TRUE(answer.yardsticks.contains(expected)) << answer.why;
    EXPECT_GT(answer.yardsticks.at(expected).at(0), 0);
  }
}

TEST(Worker, ItsLibraryIsToldHowManyThreads) {
  const auto worker = start(RESHAPE_OPTIMIZED, "RESHAPE_THREADS=none");
  ASSERT_TRUE(worker);
  // What is set wins over what this process was started with.
  EXPECT_NE(worker->ask(prepare(Call::execute)).why, "");
}

// The answer to a first command of the library that meddles so.
std::string why_of_meddler(const std::string& how) {
  const auto worker = start(RESHAPE_MEDDLER, "RESHAPE_MEDDLES=" + how);
  return worker ? worker->ask(prepare(Call::execute)).why : "it was not started";
}

TEST(Worker, WhatItsLibraryWritesToTheChannelIsNoAnswer) {
  EXPECT_EQ(why_of_meddler("nothing"), "");
  expect_in(why_of_meddler("answers"), "answers nothing");
  expect_in(why_of_meddler("half-a-line"), "answers nothing");
}

TEST(Worker, ALibraryThatEndsItsParentCostsOneWorker) {
  expect_in(why_of_meddler("kills-parent"), "SIGKILL");
  expect_in(why_of_meddler("terminates-parent"), "SIGTERM");
}

TEST(Worker, HasAFolderOfItsOwnAndTheLimitsOfAHost) {
  std::filesystem::remove("left-by-meddler");
  EXPECT_EQ(why_of_meddler("leaves-file"), "");
  EXPECT_FALSE(std::filesystem::exists("left-by-meddler"));
  expect_in(why_of_meddler("long-file"), "SIGXFSZ");
  EXPECT_FALSE(std::filesystem::exists("left-by-meddler"));
}

TEST(Bench, ALineThatAnswersNothingCostsOneWorkload) {
  std::vector<Workload> workloads = {workload(Call::execute), workload(Call::infer)};
  workloads[1].name = "timed";
  BenchOptions options;
  options.library = RESHAPE_MEDDLER;
  options.repetitions = 2;
  options.effort.passes = 1;
  setenv("RESHAPE_MEDDLES", "answers", 1);
  const Result<BenchResult> result =
      bench(workloads, options, this_machine(), [](const BenchRow&) {});
  unsetenv("RESHAPE_MEDDLES");
  ASSERT_TRUE(result.ok()) << result.error().text();
  ASSERT_EQ(result->rows.size(), 2u);
  expect_in(result->rows[0].failure, "answers nothing");
  EXPECT_EQ(result->rows[1].failure, "");
  EXPECT_TRUE(nlohmann::json::accept(result->json));
}

TEST(Counts, OnlyAMissingValgrindIsNoFailure) {
  const std::filesystem::path broken = std::filesystem::path(testing::TempDir()) / "no-valgrind";
  std::ofstream(broken) << "#!/bin/sh\nexit 1\n";
  chmod(broken.c_str(), 0700);
  CountOptions options;
  options.library = RESHAPE_OPTIMIZED;
  options.valgrind = "/no/such/valgrind";
  std::vector<int> told;
  const auto tell = [&](int done, int) { told.push_back(done); };
  const std::vector<Workload> workloads = {workload(Call::infer)};
  const Counts missing = count(workloads, options, tell).at(0);
  EXPECT_EQ(missing.failure, "");
  EXPECT_LT(missing.instructions, 0);
  EXPECT_EQ(told, (std::vector<int>{0, 1}));
  options.valgrind = broken;
  if (tells_callgrind()) expect_in(count(workloads, options).at(0).failure, "under valgrind: ");
  std::filesystem::remove(broken);
}

TEST(Rounds, EveryArmHasEveryPass) {
  Effort effort;
  effort.passes = 3;
  effort.block_seconds = 1e-6;
  const MeasureRound measure =
      measure_in_processes({{Role::baseline, RESHAPE_OPTIMIZED, 0},
                            {Role::candidate, "/no/such.so", 0},
                            {Role::slowed, RESHAPE_OPTIMIZED, 0.05}},
                           {workload(Call::execute), workload(Call::infer)}, effort);
  const Round round = measure({7, {0, 1}, true});
  ASSERT_EQ(round.size(), 2u);
  for (const auto& [at, samples] : round) {
    EXPECT_EQ(samples[0].passes.size(), 3u) << samples[0].failure;
    EXPECT_EQ(samples[2].passes.size(), 3u) << samples[2].failure;
    EXPECT_NE(samples[1].failure, "");
  }
}

}  // namespace
}  // namespace reshape::conformance::performance
