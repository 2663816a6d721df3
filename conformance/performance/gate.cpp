#include "conformance/performance/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "conformance/text/counted.h"

namespace reshape::conformance::performance {
namespace {

// The results of one workload's rounds.
struct Series {
  std::vector<double> baseline;             // seconds of a call
  std::vector<std::vector<double>> ratios;  // by arm
  std::vector<std::string> failures;
  std::vector<bool> wrong;
  bool given_up = false;  // it cannot be compared any more
};

class Play {
 public:
  Play(const std::vector<Arm>& arms, std::size_t workloads, const MeasureRound& measure,
       const GateOptions& options)
      : arms_(arms), measure_(measure), options_(options), random_(options.seed) {
    series_.resize(workloads);
    for (Series& one : series_) {
      one.ratios.resize(arms.size());
      one.failures.resize(arms.size());
      one.wrong.resize(arms.size());
    }
  }

  void round(const std::vector<std::size_t>& workloads) {
    RoundPlan plan;
    plan.seed = random_();
    plan.thorough = rounds_ == 0;
    for (const std::size_t workload : workloads) {
      if (!series_[workload].given_up) plan.workloads.push_back(workload);
    }
    ++rounds_;
    if (plan.workloads.empty()) return;
    for (const auto& [workload, samples] : measure_(plan)) take(series_[workload], samples);
  }

  // The total number of rounds that this workload needs, from the spread so far.
  int needed(std::size_t workload) const {
    int most = 0;
    for (std::size_t arm = 1; arm < arms_.size(); ++arm) {
      if (arms_[arm].role == Role::slowed) continue;
      most = std::max(most, rounds_for(series_[workload].ratios[arm], options_.wanted,
                                       comparisons(), options_.limits));
    }
    return most;
  }

  int comparisons() const { return static_cast<int>(series_.size()); }
  int rounds() const { return rounds_; }
  const Series& series(std::size_t workload) const { return series_[workload]; }

 private:
  void take(Series& series, const std::vector<Sample>& samples) {
    for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
      if (samples[arm].failure.empty()) continue;
      series.failures[arm] = samples[arm].failure;
      series.wrong[arm] = samples[arm].wrong;
      // One crash or wrong answer of these arms is enough: there is nothing left to compare.
      if (arms_[arm].role == Role::baseline || arms_[arm].role == Role::candidate) {
        series.given_up = true;
      }
    }
    if (!samples[0].failure.empty()) return;
    series.baseline.push_back(median(samples[0].passes));
    for (std::size_t arm = 1; arm < arms_.size(); ++arm) {
      if (samples[arm].failure.empty()) {
        series.ratios[arm].push_back(round_ratio(samples[arm], samples[0]));
      }
    }
  }

  const std::vector<Arm>& arms_;
  const MeasureRound& measure_;
  const GateOptions& options_;
  std::mt19937_64 random_;
  std::vector<Series> series_;
  int rounds_ = 0;
};

WorkloadResult result_of(const std::vector<Arm>& arms, const Series& series, int comparisons,
                         const Limits& limits) {
  WorkloadResult result;
  result.failures = series.failures;
  result.wrong = series.wrong;
  result.estimates.resize(arms.size());
  if (series.baseline.empty() || !series.failures[0].empty()) return result;
  result.baseline_ns = 1e9 * median(series.baseline);
  double control = 0;
  for (std::size_t arm = 1; arm < arms.size(); ++arm) {
    if (arms[arm].role != Role::twin) continue;
    result.estimates[arm] = estimate(series.ratios[arm], result.baseline_ns, comparisons, limits);
    control = shown_difference(result.estimates[arm]);
  }
  for (std::size_t arm = 1; arm < arms.size(); ++arm) {
    if (arms[arm].role == Role::twin || !series.failures[arm].empty()) continue;
    // The twin's difference only matters for the candidate: like the twin, it is another file than
    // the baseline.
    result.estimates[arm] = estimate(series.ratios[arm], result.baseline_ns, comparisons, limits,
                                     arms[arm].role == Role::candidate ? control : 0);
  }
  return result;
}

// Whether a planted slowdown counts for the record: only if it is as far above the floor as the
// rounds were planned for, since anything below the floor is no miss.
bool counts(const Arm& arm, double baseline_ns, const GateOptions& options) {
  if (arm.role != Role::slowed) return arm.role == Role::same;
  constexpr double kRounding = 1e-9;
  const double planned = std::log1p(options.wanted) - std::log1p(options.limits.relative);
  return std::log1p(arm.slowed) - floor_of(baseline_ns, options.limits) >= planned - kRounding;
}

void add_plays(const std::vector<Arm>& arms, const WorkloadResult& result,
               const GateOptions& options, Record& plays) {
  for (std::size_t arm = 1; arm < arms.size(); ++arm) {
    const Estimate& one = result.estimates[arm];
    if (!one.interval || !counts(arms[arm], result.baseline_ns, options)) continue;
    const bool claimed = one.finding == Finding::regressed ||
                         (arms[arm].role == Role::same && one.finding == Finding::improved);
    add(plays, {{key_of(arms[arm].slowed), {claimed ? 1 : 0, 1}}});
  }
}

std::size_t arm_with(const GateResult& result, Role role) {
  std::size_t arm = 0;
  while (arm < result.arms.size() && result.arms[arm].role != role) ++arm;
  return arm;
}

}  // namespace

std::vector<Arm> arms_of(const std::string& baseline, const std::string& candidate,
                         const std::string& twin) {
  std::vector<Arm> arms = {{Role::baseline, baseline, 0}};
  if (!candidate.empty()) arms.push_back({Role::candidate, candidate, 0});
  if (!twin.empty()) arms.push_back({Role::twin, twin, 0});
  arms.push_back({Role::same, baseline, 0});
  for (const double slowed : {0.03, 0.05, 0.10}) {
    arms.push_back({Role::slowed, baseline, slowed});
  }
  return arms;
}

GateResult play(const std::vector<Arm>& arms, const std::vector<std::string>& names,
                const MeasureRound& measure, const GateOptions& options, const Clock& clock) {
  const double begin = clock(), end = begin + 60 * options.minutes;
  Play played(arms, names.size(), measure, options);
  std::vector<std::size_t> all(names.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (int pilot = 0; pilot < options.pilot && clock() < end; ++pilot) played.round(all);

  GateResult result;
  std::vector<int> needed(names.size());
  for (const std::size_t workload : all) {
    needed[workload] = played.needed(workload);
    result.planned = std::max(result.planned, needed[workload]);
  }
  while (played.rounds() < options.most_rounds && clock() < end) {
    std::vector<std::size_t> unfinished;
    for (const std::size_t workload : all) {
      if (needed[workload] > played.rounds()) unfinished.push_back(workload);
    }
    if (unfinished.empty()) break;
    played.round(unfinished);
  }

  result.arms = arms;
  result.options = options;
  result.rounds = played.rounds();
  for (const std::size_t workload : all) {
    result.workloads.push_back(
        result_of(arms, played.series(workload), played.comparisons(), options.limits));
    result.workloads.back().name = names[workload];
    add_plays(arms, result.workloads.back(), options, result.plays);
  }
  result.seconds = clock() - begin;
  return result;
}

int count(const GateResult& result, std::size_t arm, Finding finding) {
  return static_cast<int>(std::ranges::count_if(result.workloads, [&](const WorkloadResult& one) {
    return arm < one.estimates.size() && one.failures[arm].empty() && one.failures[0].empty() &&
           one.estimates[arm].finding == finding;
  }));
}

Decision decide(const GateResult& result, const Record& running) {
  const std::size_t candidate = arm_with(result, Role::candidate);
  const auto workloads = static_cast<int>(result.workloads.size());
  const bool gates = candidate < result.arms.size();
  for (const WorkloadResult& one : result.workloads) {
    if (gates && one.wrong[candidate]) {
      return {1, "a wrong answer has no speed: " + one.name + ": " + one.failures[candidate]};
    }
  }
  for (const WorkloadResult& one : result.workloads) {
    if (gates && one.failures[0].empty() && !one.failures[candidate].empty()) {
      return {1, one.name + ": " + one.failures[candidate]};
    }
  }
  if (const std::string why = ruled_out(running); !why.empty()) {
    return {4,
            "this gate does not gate, because its own record is out of its specification: " + why};
  }
  if (!gates) {
    const auto measured = std::ranges::count_if(
        result.workloads, [](const WorkloadResult& one) { return one.failures[0].empty(); });
    if (measured == 0) return {4, "nothing is calibrated: no workload could be measured"};
    const std::string all = counted(result.workloads.size(), "workload");
    const bool whole = measured == std::ssize(result.workloads);
    return {0, "calibrated on " + (whole ? all : fmt::format("{} of {}", measured, all))};
  }
  const int regressed = count(result, candidate, Finding::regressed);
  if (regressed > 0) return {1, fmt::format("{} of {} workloads regressed", regressed, workloads)};
  const int unresolved = workloads - count(result, candidate, Finding::pass) -
                         count(result, candidate, Finding::improved);
  if (2 * unresolved > workloads) {
    return {4, fmt::format("nothing is asserted: {} of {} workloads are unresolved", unresolved,
                           workloads)};
  }
  const Limits& limits = result.options.limits;
  return {0,
          fmt::format("no regression: on {} of {} a slowdown of {:g} %, or of {:g} ns where that "
                      "is more, is excluded",
                      workloads - unresolved, counted(result.workloads.size(), "workload"),
                      100 * limits.excluded, limits.absolute_ns)};
}

}  // namespace reshape::conformance::performance
