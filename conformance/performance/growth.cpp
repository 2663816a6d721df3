#include "conformance/performance/growth.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>

namespace reshape::conformance::performance {
namespace {

// Beyond a cache's size a copy takes longer for each byte, which gives an exponent of up to 1.4.
constexpr double kSuperLinear = 1.5;
// A time that does not depend on the size gives an exponent near 0.
constexpr double kNotConstant = 0.4;
constexpr Eigen::Index kLargest = 3;

// The line through these points, by least squares.
Eigen::Vector2d line(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                     const Eigen::VectorXd& weight) {
  Eigen::MatrixXd terms(x.size(), 2);
  terms.col(0) = weight;
  terms.col(1) = x.cwiseProduct(weight);
  return terms.colPivHouseholderQr().solve(y.cwiseProduct(weight));
}

}  // namespace

Growth fit_growth(const std::string& kind, const std::string& unit, std::vector<SizedTime> points,
                  bool constant) {
  std::ranges::sort(points, {}, &SizedTime::size);
  const auto count = static_cast<Eigen::Index>(points.size());
  Eigen::VectorXd size(count), time(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    size[i] = points[static_cast<std::size_t>(i)].size;
    time[i] = points[static_cast<std::size_t>(i)].ns;
  }
  Growth growth;
  growth.kind = kind;
  growth.unit = unit;
  growth.points = std::move(points);
  const Eigen::Vector2d fitted = line(size, time, time.cwiseInverse());
  growth.overhead_ns = fitted[0];
  growth.ns_per_unit = fitted[1];
  const Eigen::VectorXd x = size.tail(kLargest).array().log(),
                        y = time.tail(kLargest).array().log();
  growth.exponent = line(x, y, Eigen::VectorXd::Ones(kLargest))[1];
  if (constant && growth.exponent > kNotConstant) {
    growth.flag = "grows with its " + unit + ", which a view must not";
  } else if (growth.exponent > kSuperLinear) {
    growth.flag = "grows faster than its " + unit;
  }
  return growth;
}

std::string text(const Growth& growth) {
  return fmt::format("{:<14} {:>11.1f} ns + {:>11.5f} ns x {}, exponent {:.2f}{}{}", growth.kind,
                     growth.overhead_ns, growth.ns_per_unit, growth.unit, growth.exponent,
                     growth.flag.empty() ? "" : "  FLAGGED: ", growth.flag);
}

}  // namespace reshape::conformance::performance
