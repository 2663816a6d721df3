#include "conformance/performance/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "conformance/performance/process.h"
#include "conformance/performance/statistics.h"

namespace reshape::conformance::performance {
namespace {

constexpr double kMostCalls = 1e7;
// The number of rounds matters most for a comparison. For long calls a round has fewer passes, so
// that an arm takes about this long on one workload; but never fewer than kFewestPasses.
constexpr double kArmSeconds = 0.02;
constexpr int kFewestPasses = 3;
constexpr double kLongerWithCallers = 10;

class Lockstep {
 public:
  Lockstep(std::vector<Arm> arms, std::vector<Workload> workloads, const Effort& effort)
      : arms_(std::move(arms)),
        workloads_(std::move(workloads)),
        effort_(effort),
        calls_(workloads_.size(), 0),
        seconds_(workloads_.size(), 0) {}

  Round measure(const RoundPlan& plan) {
    std::mt19937_64 random(plan.seed);
    std::vector<std::size_t> order(arms_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::shuffle(order, random);
    start(plan.seed, order);
    Round round;
    for (const std::size_t workload : plan.workloads) {
      std::ranges::shuffle(order, random);
      round[workload] = measure(workload, order, random(), plan.thorough);
    }
    workers_.clear();
    return round;
  }

 private:
  void start(std::uint64_t seed, const std::vector<std::size_t>& order) {
    workers_.clear();
    workers_.resize(arms_.size());
    not_started_.assign(arms_.size(), "");
    for (const std::size_t arm : order) {
      Result<std::unique_ptr<WorkerProcess>> worker =
          WorkerProcess::start({.start = {.library = arms_[arm].library,
                                          .seed = seed,
                                          .slowed = arms_[arm].slowed,
                                          .environment = thread_environment(effort_.threads)},
                                .deadline_seconds = effort_.deadline_seconds});
      if (worker) {
        workers_[arm] = std::move(*worker);
      } else {
        not_started_[arm] = worker.error().text();
      }
    }
  }

  std::vector<Sample> measure(std::size_t workload, std::vector<std::size_t> order,
                              std::uint64_t seed, bool thorough) {
    std::vector<Sample> samples(arms_.size());
    const auto ask = [&](std::size_t arm, const WorkerCommand& what) {
      const Answer answer =
          workers_[arm] ? workers_[arm]->ask(what) : Answer{.why = not_started_[arm]};
      samples[arm].failure = answer.why;
      samples[arm].wrong = answer.wrong;
      return answer;
    };
    const WorkerCommand prepare = {.what = WorkerCommand::Do::prepare,
                                   .workload = workloads_[workload],
                                   .seed = seed,
                                   .thorough = thorough};
    // Longer blocks with several callers, so that they overlap for most of a block.
    const double block_seconds =
        effort_.block_seconds * (workloads_[workload].callers > 1 ? kLongerWithCallers : 1);
    for (const std::size_t arm : order) {
      const Answer answer = ask(arm, prepare);
      if (arm == 0 && calls_[workload] == 0 && answer.seconds > 0) {
        seconds_[workload] = answer.seconds;
        calls_[workload] =
            static_cast<std::int64_t>(std::clamp(block_seconds / answer.seconds, 1.0, kMostCalls));
      }
    }
    const WorkerCommand turn = {.what = WorkerCommand::Do::turn,
                                .calls = std::max<std::int64_t>(calls_[workload], 1),
                                .blocks = effort_.blocks};
    WorkerCommand yardsticks = turn;
    yardsticks.what = WorkerCommand::Do::yardsticks;
    const int passes = passes_of(workload);
    for (int pass = 0; pass < passes; ++pass) {
      for (const std::size_t arm : order) {
        if (!samples[arm].failure.empty()) continue;
        const Answer answer = ask(arm, turn);
        if (answer.blocks.empty() && answer.why.empty()) samples[arm].failure = "it timed nothing";
        if (!samples[arm].failure.empty()) continue;
        samples[arm].passes.push_back(std::ranges::min(answer.blocks));
        if (arm != 0 || !effort_.yardsticks) continue;
        for (const auto& [name, blocks] : ask(arm, yardsticks).yardsticks) {
          if (!blocks.empty()) samples[arm].yardsticks[name].push_back(std::ranges::min(blocks));
        }
      }
      std::ranges::reverse(order);
    }
    return samples;
  }

  // All passes where yardsticks are timed, since then this round's own figures are used.
  int passes_of(std::size_t workload) const {
    // A turn is a call to warm up, and the blocks.
    const double turn =
        seconds_[workload] * static_cast<double>(1 + calls_[workload] * effort_.blocks);
    if (effort_.yardsticks || turn <= 0) return effort_.passes;
    const int few = static_cast<int>(std::min(kArmSeconds / turn, kMostCalls));
    return std::clamp(few, std::min(kFewestPasses, effort_.passes), effort_.passes);
  }

  std::vector<Arm> arms_;
  std::vector<Workload> workloads_;
  Effort effort_;
  std::vector<std::int64_t> calls_;
  std::vector<double> seconds_;  // of a call, about
  std::vector<std::unique_ptr<WorkerProcess>> workers_;
  std::vector<std::string> not_started_;
};

}  // namespace

std::string text(const Arm& arm) {
  switch (arm.role) {
    case Role::baseline: return "baseline";
    case Role::candidate: return "candidate";
    case Role::twin: return "twin";
    case Role::same: return "same again";
    case Role::peer: return arm.name;
    case Role::slowed: break;
  }
  return fmt::format("{:g} % slower", 100 * arm.slowed);
}

MeasureRound measure_in_processes(std::vector<Arm> arms, std::vector<Workload> workloads,
                                  const Effort& effort) {
  auto lockstep = std::make_shared<Lockstep>(std::move(arms), std::move(workloads), effort);
  return [lockstep](const RoundPlan& plan) { return lockstep->measure(plan); };
}

double round_ratio(const Sample& arm, const Sample& baseline) {
  std::vector<double> ratios;
  const std::size_t passes = std::min(arm.passes.size(), baseline.passes.size());
  for (std::size_t pass = 0; pass < passes; ++pass) {
    ratios.push_back(std::log(arm.passes[pass] / baseline.passes[pass]));
  }
  return median(std::move(ratios));
}

}  // namespace reshape::conformance::performance
