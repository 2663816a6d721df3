#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/performance/statistics.h"

namespace reshape::conformance::performance {

// What is too little to matter, and what has to be shown.
struct Limits {
  double relative = 0.01;     // changes that are not shown to be above this are no finding
  double absolute_ns = 1;     // nor are those of fewer nanoseconds a call
  double excluded = 0.05;     // PASS says that a slowdown of this much can be excluded
  double family_miss = 0.05;  // chance of one wrong interval or more among all workloads
  double power = 0.8;
};

enum class Finding : std::uint8_t { pass, regressed, improved, unresolved };
const char* name(Finding finding);  // "PASS", ...

// What rounds say of one arm against the baseline on one workload. Ratios are natural logarithms.
struct Estimate {
  Finding finding = Finding::unresolved;
  double ratio = 0;                  // median over rounds
  std::optional<Interval> interval;  // none: too few rounds for any statement
  double detectable = 0;  // the smallest slowdown that so many rounds find with the limits' power
  int rounds = 0;
};

// `ratios` are one value a round: log(arm's time / baseline's time). `baseline_ns` is of one call.
// `comparisons` is the number of workloads that are decided together; every interval misses with a
// chance of family_miss / comparisons (Bonferroni). `control` is what a rebuilt twin of the baseline
// was shown to differ by on this workload, which no change may be blamed for.
//
// REGRESSED and IMPROVED: the whole interval lies beyond the floors and beyond the control. PASS: the
// whole interval lies below `excluded`. UNRESOLVED: neither, so nothing is claimed.
Estimate estimate(const std::vector<double>& ratios, double baseline_ns, int comparisons,
                  const Limits& limits, double control = 0);

// What an interval says beyond a floor; `estimate` decides by it.
Finding finding_of(const Interval& interval, double floor, const Limits& limits);

// What is too little to be a finding on a workload whose call takes so long, as a logarithm: the larger
// of the two floors.
double floor_of(double baseline_ns, const Limits& limits);

// By how much a twin is shown to differ: 0 where its interval has 0 in it or there is no interval.
double shown_difference(const Estimate& twin);

// Rounds that find a slowdown of `wanted` with the limits' power, as a pilot's ratios spread, and half
// as many on top: ratios have more far values than the normal distribution that is planned with.
int rounds_for(const std::vector<double>& pilot, double wanted, int comparisons,
               const Limits& limits);

// "+5.1 %" of a logarithm.
std::string percent(double log_ratio);

}  // namespace reshape::conformance::performance
