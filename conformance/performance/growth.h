#pragma once

#include <string>
#include <vector>

namespace reshape::conformance::performance {

// The time of one call at one size: bytes, rank, threads or callers.
struct SizedTime {
  double size = 0;
  double ns = 0;
};

// How the time of one kind of request grows: ns = overhead + per_unit * size, where every point
// weighs as much as its own time (relative errors are least squares), and the exponent of the
// growth between the larger sizes.
struct Growth {
  std::string kind;
  std::string unit;  // of sizes: "bytes", "rank", "threads", "callers"
  double overhead_ns = 0;
  double ns_per_unit = 0;
  double exponent = 0;
  std::string flag;  // what is wrong with it, empty where nothing is
  std::vector<SizedTime> points;
};

// `constant`: the time must not depend on the size (views by bytes). Others may grow linearly, also
// with the number of callers, which may have to wait for a processor or a lock. Precondition: three
// points or more, of different sizes.
Growth fit_growth(const std::string& kind, const std::string& unit, std::vector<SizedTime> points,
                  bool constant);

std::string text(const Growth& growth);

}  // namespace reshape::conformance::performance
