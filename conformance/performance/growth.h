#pragma once

#include <string>
#include <vector>

namespace reshape::conformance::performance {

// What one call took at one size. `size` is in bytes, for inference in dimensions.
struct SizedTime {
  double size = 0;
  double ns = 0;
};

// How the time of one kind of request grows: ns = overhead + per_unit * size, where every point
// weighs as much as its own time (relative errors are least squares), and the exponent of the growth
// between the larger sizes.
struct Growth {
  std::string kind;
  double overhead_ns = 0;
  double ns_per_unit = 0;
  double exponent = 0;
  std::string flag;  // what is wrong with it, empty where nothing is
  std::vector<SizedTime> points;
};

// `constant`: the kind's time must not depend on the size (views). Others may grow linearly.
// Precondition: three points or more, of different sizes.
Growth fit_growth(const std::string& kind, std::vector<SizedTime> points, bool constant);

std::string text(const Growth& growth);

}  // namespace reshape::conformance::performance
