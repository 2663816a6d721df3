#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/performance/statistics.h"

namespace reshape::conformance::performance {

// The thresholds of findings.
struct Limits {
  double relative = 0.01;     // changes must be shown to be above this to be a finding
  double absolute_ns = 1;     // and above this many nanoseconds for each call
  double excluded = 0.05;     // PASS says that a slowdown of this much can be excluded
  double family_miss = 0.05;  // probability of any wrong interval among all workloads
  double power = 0.8;
};

enum class Finding : std::uint8_t { pass, regressed, improved, unresolved };
const char* name(Finding finding);  // "PASS", ...

// The comparison of one arm with the baseline on one workload. Ratios are natural logarithms.
struct Estimate {
  Finding finding = Finding::unresolved;
  double ratio = 0;                  // median over rounds
  std::optional<Interval> interval;  // none: too few rounds for any statement
  double detectable = 0;  // the smallest slowdown that these rounds detect with the limits' power
  int rounds = 0;
};

// `ratios` has one value for each round: log(arm's time / baseline's time). `baseline_ns` is the
// time of one call. `comparisons` is the number of workloads that are decided together; every
// interval misses with probability miss_of(). `control` is the difference that a rebuilt twin of
// the baseline was shown to have on this workload, for which no change may be blamed.
//
// REGRESSED and IMPROVED: the whole interval lies beyond the floors and beyond the control. PASS:
// the whole interval lies below `excluded`. UNRESOLVED: neither, so nothing is claimed.
Estimate estimate(const std::vector<double>& ratios, double baseline_ns, int comparisons,
                  const Limits& limits, double control = 0);

// What an interval says beyond a floor; `estimate` decides by it.
Finding finding_of(const Interval& interval, double floor, const Limits& limits);

// The probability with which each of so many intervals may miss (Bonferroni).
double miss_of(int comparisons, const Limits& limits);

// The floor for findings on a workload with this time of a call, as a logarithm: the larger of the
// relative and the absolute one.
double floor_of(double baseline_ns, const Limits& limits);

// The difference that a twin is shown to have: 0 where its interval contains 0 or there is none.
double shown_difference(const Estimate& twin);

// The number of rounds to detect a slowdown of `wanted` with the limits' power, given the spread of
// a pilot's ratios; plus one half, since ratios have heavier tails than the normal distribution.
int rounds_for(const std::vector<double>& pilot, double wanted, int comparisons,
               const Limits& limits);

// "+5.1 %" of a logarithm.
std::string percent(double log_ratio);

}  // namespace reshape::conformance::performance
