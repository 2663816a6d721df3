#include "conformance/performance/gate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance::performance {
namespace {

// Simulated rounds: the time of every arm is the planted one, times noise that the arms of a round
// share and noise of its own.
struct Machine {
  std::vector<double> factors;  // by arm
  double own_noise = 0.02, shared_noise = 0.3;
  double seconds = 1e-4;
  std::string candidate_failure = {};
  bool candidate_wrong = false;
  int rounds = 0;

  Round operator()(const RoundPlan& plan) {
    ++rounds;
    std::mt19937_64 random(plan.seed);
    std::normal_distribution<double> noise;
    Round round;
    for (const std::size_t workload : plan.workloads) {
      const double shared = std::exp(shared_noise * noise(random));
      std::vector<Sample> samples(factors.size());
      for (std::size_t arm = 0; arm < factors.size(); ++arm) {
        for (int pass = 0; pass < 3; ++pass) {
          samples[arm].passes.push_back(seconds * shared * factors[arm] *
                                        std::exp(own_noise * noise(random)));
        }
      }
      if (!candidate_failure.empty()) samples[1] = {{}, candidate_failure, candidate_wrong};
      round[workload] = samples;
    }
    return round;
  }
};

constexpr int kWorkloads = 20;
const std::vector<std::string> kNames(kWorkloads, "w");
const auto kArms = arms_of("a.so", "b.so", "twin.so");
// baseline, candidate, twin, same again, and 3, 5, 10 % slower
std::vector<double> planted(double candidate, double twin = 1) {
  return {1, candidate, twin, 1, 1.03, 1.05, 1.10};
}

GateResult played(Machine& machine, const GateOptions& options = {}) {
  return play(
      kArms, kNames, [&](const RoundPlan& plan) { return machine(plan); }, options,
      [] { return 0.0; });
}

TEST(Gate, SaysNothingAgainstTheSameLibraryAndExcludesASlowdown) {
  Machine machine{planted(1)};
  const GateResult result = played(machine);
  EXPECT_EQ(count(result, 1, Finding::pass), kWorkloads);
  EXPECT_EQ(decide(result, result.plays).exit_code, 0) << decide(result, result.plays).sentence;
}

TEST(Gate, FindsASlowdownOfFivePercentUnderNoiseThatIsLarger) {
  Machine machine{planted(1.05)};
  const GateResult result = played(machine);
  EXPECT_GE(count(result, 1, Finding::regressed), kWorkloads * 95 / 100);
  EXPECT_EQ(count(result, 2, Finding::regressed), 0);  // the twin
  EXPECT_EQ(decide(result, result.plays).exit_code, 1);
}

TEST(Gate, FindsAnImprovement) {
  Machine machine{planted(0.9)};
  const GateResult result = played(machine);
  EXPECT_EQ(count(result, 1, Finding::improved), kWorkloads);
  EXPECT_EQ(decide(result, result.plays).exit_code, 0);
}

// If relinking the baseline makes it 6 % slower, a candidate that is 6 % slower proves nothing.
TEST(Gate, BlamesNoCandidateForWhatATwinDoesToo) {
  Machine machine{planted(1.06, 1.06)};
  const GateResult result = played(machine);
  EXPECT_EQ(count(result, 2, Finding::regressed), kWorkloads);
  EXPECT_EQ(count(result, 1, Finding::regressed), 0);
  Machine worse{planted(1.15, 1.06)};
  EXPECT_EQ(count(played(worse), 1, Finding::regressed), kWorkloads);
}

TEST(Gate, KeepsARecordOfWhatItClaims) {
  Machine machine{planted(1)};
  const GateResult result = played(machine);
  EXPECT_EQ(result.plays.at(0), (Tally{0, kWorkloads}));
  EXPECT_EQ(result.plays.at(30).plays, kWorkloads);
  EXPECT_GE(result.plays.at(50).claimed, kWorkloads * 95 / 100);
  EXPECT_EQ(result.plays.at(100), (Tally{kWorkloads, kWorkloads}));
}

TEST(Gate, ASlowdownBelowTheFloorIsNoMiss) {
  Machine machine{planted(1)};
  GateOptions options;
  options.limits.absolute_ns = 4000;  // 4 % of this machine's 100 us
  const GateResult result = played(machine, options);
  EXPECT_FALSE(result.plays.contains(30));
  EXPECT_FALSE(result.plays.contains(50));  // not as far above as was planned
  EXPECT_EQ(result.plays.at(100), (Tally{kWorkloads, kWorkloads}));
  EXPECT_EQ(result.plays.at(0).plays, kWorkloads);
}

TEST(Gate, AsksMoreRoundsOfANoisyMachineUpToTheCap) {
  Machine quiet{planted(1), 0.002}, noisy{planted(1), 0.03}, wild{planted(1), 0.3};
  played(quiet), played(noisy), played(wild);
  EXPECT_EQ(quiet.rounds, GateOptions().pilot);
  EXPECT_GT(noisy.rounds, quiet.rounds);
  EXPECT_EQ(wild.rounds, GateOptions().most_rounds);
}

TEST(Gate, AssertsNothingWhereTheNoiseHidesEverything) {
  Machine machine{planted(1), 0.5};
  const GateResult result = played(machine);
  EXPECT_GT(count(result, 1, Finding::unresolved), kWorkloads / 2);
  EXPECT_EQ(decide(result, {}).exit_code, 4);
  EXPECT_GT(result.workloads[0].estimates[1].detectable, std::log(1.05));
}

TEST(Gate, RefusesToGateWhenItsOwnRecordIsOutOfItsSpecification) {
  Machine machine{planted(1.2)};
  const GateResult result = played(machine);
  EXPECT_EQ(decide(result, {{0, {0, 300}}, {50, {300, 300}}}).exit_code, 1);
  EXPECT_EQ(decide(result, {{0, {12, 300}}}).exit_code, 4);                   // 4 % false alarms
  EXPECT_EQ(decide(result, {{0, {0, 300}}, {50, {240, 300}}}).exit_code, 4);  // 80 % found
  EXPECT_EQ(decide(result, {{30, {150, 300}}}).exit_code, 4);                 // 50 % found
}

TEST(Gate, AWrongAnswerHasNoSpeed) {
  Machine machine{planted(0.5)};
  machine.candidate_failure = "the answer is wrong, or nothing was done";
  machine.candidate_wrong = true;
  const GateResult result = played(machine);
  EXPECT_EQ(machine.rounds, 1);  // one is enough
  EXPECT_EQ(decide(result, {}).exit_code, 1);
  expect_in(decide(result, {}).sentence, "no speed");
}

TEST(Gate, EndsWithItsTime) {
  Machine machine{planted(1), 0.5};
  double now = 0;
  const GateResult result = play(
      kArms, kNames, [&](const RoundPlan& plan) { return machine(plan); }, {},
      [&] { return now += 30; });
  EXPECT_LT(result.rounds, 17);
  EXPECT_LT(result.rounds, result.planned);
}

TEST(Verdict, FewNanosecondsAreNoRegression) {
  const std::vector<double> slower(30, std::log(1.08));
  EXPECT_EQ(estimate(slower, 10, 1, {}).finding, Finding::pass);  // 0.8 ns of 10
  EXPECT_EQ(estimate(slower, 100, 1, {}).finding, Finding::regressed);
}

TEST(Verdict, FiveRoundsSayNothing) {
  const Estimate one = estimate(std::vector<double>(5, std::log(2)), 1000, 1, {});
  EXPECT_EQ(one.finding, Finding::unresolved);
  EXPECT_FALSE(one.interval);
}

TEST(Record, IsKeptByMachineAndAddedTo) {
  const std::string path = ::testing::TempDir() + "record.json";
  std::remove(path.c_str());
  EXPECT_EQ(append_record(path, "one", {{0, {1, 20}}})->at(0), (Tally{1, 20}));
  EXPECT_EQ(append_record(path, "one", {{0, {0, 20}}, {50, {20, 20}}})->at(0), (Tally{1, 40}));
  EXPECT_TRUE(read_record(path, "other")->empty());
  EXPECT_EQ(read_record(path, "one")->size(), 2u);
  std::ofstream(path) << R"({"one": {"0": {"claimed": 3, "plays": 2}}})";
  EXPECT_FALSE(read_record(path, "one"));
}

}  // namespace
}  // namespace reshape::conformance::performance
