#include "conformance/performance/stored.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace reshape::conformance::performance {
namespace {

std::vector<double> logs(std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  return values;
}

}  // namespace

std::optional<std::string> not_comparable(const ResultFile& stored, const std::string& machine,
                                          const std::string& setting,
                                          const std::vector<Workload>& workloads) {
  if (stored.machine != machine) {
    return "it was measured on another machine (" + stored.machine + "), and this is " + machine;
  }
  if (stored.setting != setting) {
    return "it was measured with '" + stored.setting + "' in the environment, and this is '" +
           setting + "'";
  }
  for (const Workload& workload : workloads) {
    const auto found = stored.figures.find(workload.name);
    if (found == stored.figures.end()) {
      return "it is of another set of workloads: it has no '" + workload.name + "'";
    }
    if (found->second.ask != question(workload)) {
      return "it is of another set of workloads: its '" + workload.name + "' asks '" +
             found->second.ask + "'";
    }
  }
  return std::nullopt;
}

int repetitions_needed(std::size_t workloads, const Limits& limits) {
  return fewest_values(miss_of(static_cast<int>(workloads), limits) / 2);
}

int repetitions_of(const ResultFile& stored, const std::vector<Workload>& workloads) {
  std::size_t fewest = std::numeric_limits<std::int32_t>::max();
  for (const Workload& workload : workloads) {
    const auto found = stored.figures.find(workload.name);
    fewest = std::min(fewest, found == stored.figures.end() ? 0 : found->second.values.size());
  }
  return static_cast<int>(fewest);
}

Estimate estimate_unpaired(const Figure& baseline, const Figure& candidate, int comparisons,
                           const StoredOptions& options) {
  const std::vector<double> was = logs(baseline.values), is = logs(candidate.values);
  const double miss = miss_of(comparisons, options.limits) / 2;
  const double sessions = std::log1p(options.sessions);
  const double floor = floor_of(baseline.ns, options.limits);
  Estimate made;
  made.rounds = static_cast<int>(std::min(was.size(), is.size()));
  if (made.rounds == 0) return made;
  made.ratio = median(is) - median(was);
  made.detectable =
      floor + sessions +
      detectable_distance(spread(was), static_cast<int>(was.size()), miss, options.limits.power) +
      detectable_distance(spread(is), static_cast<int>(is.size()), miss, options.limits.power);
  const auto of_was = median_interval(was, miss), of_is = median_interval(is, miss);
  if (!of_was || !of_is) return made;
  made.interval = {of_is->lower - of_was->upper - sessions,
                   of_is->upper - of_was->lower + sessions};
  made.finding = finding_of(*made.interval, floor, options.limits);
  return made;
}

GateResult compare_with_stored(const std::string& path, const ResultFile& stored,
                               const std::string& library, const ResultFile& candidate,
                               const std::vector<Workload>& workloads,
                               const StoredOptions& options) {
  GateResult result;
  result.arms = {{Role::baseline, path, 0}, {Role::candidate, library, 0}};
  result.options.limits = options.limits;
  for (const Workload& workload : workloads) {
    WorkloadResult one;
    one.name = workload.name;
    one.estimates.resize(2);
    one.failures.resize(2);
    one.wrong.resize(2);
    const Figure& was = stored.figures.at(workload.name);
    one.baseline_ns = was.ns;
    const auto is = candidate.figures.find(workload.name);
    if (is == candidate.figures.end()) {
      one.failures[1] = "it could not be measured";
    } else if (is->second.unit != was.unit) {
      one.failures[1] = "it is counted in " + is->second.unit + ", and stored in " + was.unit;
    } else {
      one.estimates[1] =
          estimate_unpaired(was, is->second, static_cast<int>(workloads.size()), options);
    }
    result.workloads.push_back(std::move(one));
  }
  return result;
}

std::string unpaired_note(int stored, int candidate, const StoredOptions& options) {
  return fmt::format(
      "Not paired: the baseline is a stored result of {} repetitions in another session, the "
      "candidate {} in this one. The intervals are of two medians, widened by the {:g} % that two "
      "sessions of one library are taken to differ by (--sessions). No twin and no planted "
      "slowdown was played: how often such a verdict is wrong is not known. What has to be shown "
      "needs the library as the baseline.",
      stored, candidate, 100 * options.sessions);
}

}  // namespace reshape::conformance::performance
