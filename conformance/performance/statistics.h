#pragma once

#include <optional>
#include <vector>

namespace reshape::conformance::performance {

// The statistics that verdicts rest on; the distributions are Boost.Math's. All ratios are natural
// logarithms here, so that 5 % slower and 5 % faster are equally far from 0.

struct Interval {
  double lower = 0;
  double upper = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

// Precondition: not empty.
double median(std::vector<double> values);

// A robust estimate of the standard deviation, from the median absolute deviation, for values with
// a few outliers. Precondition: not empty.
double spread(std::vector<double> values);

// A confidence interval between two of the values that misses the median of their distribution with
// probability at most `miss`. Exact for every continuous distribution (the sign test's interval).
// Nothing when there are too few values.
std::optional<Interval> median_interval(std::vector<double> values, double miss);

// The fewest values for which median_interval() gives an interval.
int fewest_values(double miss);

// The number of values needed to detect an effect `distance` beyond a threshold with probability
// `power`, where the values have standard deviation `spread`. Normal approximation; for planning
// only.
int values_needed(double spread, double distance, double miss, double power);

// The smallest distance from a threshold that `count` values detect with probability `power`.
double detectable_distance(double spread, int count, double miss, double power);

// Exact (Clopper-Pearson) bounds of a rate with `hits` in `plays`; each bound is missed with
// probability (1 - confidence) / 2. Without plays the bounds are 0 and 1.
Interval rate_bounds(int hits, int plays, double confidence = 0.95);

}  // namespace reshape::conformance::performance
