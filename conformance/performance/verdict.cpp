#include "conformance/performance/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace reshape::conformance::performance {

const char* name(Finding finding) {
  switch (finding) {
    case Finding::pass: return "PASS";
    case Finding::regressed: return "REGRESSED";
    case Finding::improved: return "IMPROVED";
    case Finding::unresolved: break;
  }
  return "UNRESOLVED";
}

double miss_of(int comparisons, const Limits& limits) {
  return limits.family_miss / std::max(comparisons, 1);
}

double floor_of(double baseline_ns, const Limits& limits) {
  const double absolute = baseline_ns > 0 ? limits.absolute_ns / baseline_ns : 0;
  return std::log1p(std::max(limits.relative, absolute));
}

Estimate estimate(const std::vector<double>& ratios, double baseline_ns, int comparisons,
                  const Limits& limits, double control) {
  Estimate made;
  made.rounds = static_cast<int>(ratios.size());
  if (ratios.empty()) return made;
  const double miss = miss_of(comparisons, limits);
  const double floor = floor_of(baseline_ns, limits) + std::abs(control);
  made.ratio = median(ratios);
  made.interval = median_interval(ratios, miss);
  made.detectable = floor + detectable_distance(spread(ratios), made.rounds, miss, limits.power);
  if (!made.interval) return made;
  made.finding = finding_of(*made.interval, floor, limits);
  return made;
}

Finding finding_of(const Interval& interval, double floor, const Limits& limits) {
  if (interval.lower > floor) return Finding::regressed;
  if (interval.upper < -floor) return Finding::improved;
  const bool excluded = interval.upper < std::max(std::log1p(limits.excluded), floor);
  return excluded ? Finding::pass : Finding::unresolved;
}

double shown_difference(const Estimate& twin) {
  if (!twin.interval || (twin.interval->lower <= 0 && twin.interval->upper >= 0)) return 0;
  return std::abs(twin.ratio);
}

int rounds_for(const std::vector<double>& pilot, double wanted, int comparisons,
               const Limits& limits) {
  const double distance = std::log1p(wanted) - std::log1p(limits.relative);
  if (pilot.empty() || distance <= 0) return fewest_values(miss_of(comparisons, limits));
  constexpr double kFarValues = 1.5;
  const int needed =
      values_needed(spread(pilot), distance, miss_of(comparisons, limits), limits.power);
  return static_cast<int>(std::ceil(kFarValues * needed));
}

std::string percent(double log_ratio) {
  return fmt::format("{:+.1f} %", 100 * std::expm1(log_ratio));
}

}  // namespace reshape::conformance::performance
