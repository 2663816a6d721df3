#include "conformance/performance/statistics.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <utility>

namespace reshape::conformance::performance {
namespace {

using boost::math::binomial;
using boost::math::normal;

// The standard deviation of a median of normal values over that of their mean: sqrt(pi / 2).
constexpr double kMedianOverMean = 1.2533141373155003;
// The median absolute deviation of a normal distribution relative to its standard deviation.
constexpr double kDeviationOfMedian = 0.6744897501960817;

// The distance from a threshold, in standard deviations of a median, that this power detects.
double reach(double miss, double power) {
  const normal standard;
  return quantile(complement(standard, miss / 2)) + quantile(standard, power);
}

// How many values lie outside of the interval on each side; -1: even the extremes miss too often.
int outside(int count, double miss) {
  const binomial below_median(count, 0.5);
  int left = -1;
  while (left + 1 < count / 2 && cdf(below_median, left + 1) <= miss / 2) ++left;
  return left;
}

}  // namespace

double median(std::vector<double> values) {
  return boost::math::statistics::median(values.begin(), values.end());
}

// In steps, because median_absolute_deviation of Boost 1.74 forgets to subtract the median.
double spread(std::vector<double> values) {
  const double middle = median(values);
  for (double& value : values) value = std::abs(value - middle);
  return median(std::move(values)) / kDeviationOfMedian;
}

std::optional<Interval> median_interval(std::vector<double> values, double miss) {
  const int left = outside(static_cast<int>(values.size()), miss);
  if (left < 0) return std::nullopt;
  std::ranges::sort(values);
  const auto at = static_cast<std::size_t>(left);
  return Interval{values[at], values[values.size() - 1 - at]};
}

int fewest_values(double miss) {
  int count = 1;
  while (outside(count, miss) < 0) ++count;
  return count;
}

int values_needed(double spread, double distance, double miss, double power) {
  const double root = reach(miss, power) * kMedianOverMean * spread / distance;
  constexpr double kMost = 1e6;
  return std::max(fewest_values(miss), static_cast<int>(std::ceil(std::min(root * root, kMost))));
}

double detectable_distance(double spread, int count, double miss, double power) {
  return reach(miss, power) * kMedianOverMean * spread / std::sqrt(count);
}

Interval rate_bounds(int hits, int plays, double confidence) {
  if (plays == 0) return {0, 1};
  const double miss = (1 - confidence) / 2;
  return {hits == 0 ? 0 : binomial::find_lower_bound_on_p(plays, hits, miss),
          hits == plays ? 1 : binomial::find_upper_bound_on_p(plays, hits, miss)};
}

}  // namespace reshape::conformance::performance
