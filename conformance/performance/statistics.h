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

// Standard deviation as the median absolute deviation tells it, for values of which a few are far out.
// Precondition: not empty.
double spread(std::vector<double> values);

// An interval between two of the values that misses the median of their distribution with a chance of
// `miss` at most. It is exact for every continuous distribution (the sign test's interval). Nothing
// when there are too few values for such a statement, however they lie.
std::optional<Interval> median_interval(std::vector<double> values, double miss);

// The fewest values of which median_interval can say anything.
int fewest_values(double miss);

// Values needed so that an effect that lies `distance` beyond a threshold is told from it with a chance
// of `power`, where the values spread by `spread`. Normal approximation; for planning only.
int values_needed(double spread, double distance, double miss, double power);

// The smallest distance from a threshold that `count` values tell with a chance of `power`.
double detectable_distance(double spread, int count, double miss, double power);

// Exact bounds (Clopper and Pearson) of a rate of which `hits` were seen in `plays`; each bound is
// missed with a chance of (1 - confidence) / 2. Without plays the bounds are 0 and 1.
Interval rate_bounds(int hits, int plays, double confidence = 0.95);

}  // namespace reshape::conformance::performance
