#include "conformance/run/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conformance/adapter/process/patience.h"
#include "conformance/run/ask_to_end.h"

namespace reshape::conformance {

Bounds::Bounds(const RunOptions& options)
    : fail_fast_(options.fail_fast),
      most_hangs_(options.most_hangs),
      time_limit_(options.time_limit) {}

void Bounds::saw(bool failed, bool hung) {
  if (failed) failed_ = true;
  if (hung) ++hangs_;
}

void Bounds::saw_an_end(double seconds) {
  ++ends_;
  milliseconds_of_ends_ += std::llround(seconds * 1000);
}

double Bounds::seconds() const { return elapsed_seconds(began_); }

std::optional<std::string> Bounds::reached() const {
  constexpr int kManyEnds = 100;
  constexpr std::int64_t kLong = 60'000;
  // Each ended process costs a start; with a library that starts slowly the run would take forever.
  if (most_hangs_ > 0 && ends_ >= kManyEnds && milliseconds_of_ends_ >= kLong) {
    return "not asked after " + std::to_string(ends_) +
           " requests that ended the process, in more than a minute (--most-hangs 0 goes on)";
  }
  if (fail_fast_ && failed_) return "not asked after the first failure (--fail-fast)";
  if (most_hangs_ > 0 && hangs_ >= most_hangs_) {
    return "not asked after " + std::to_string(most_hangs_) + " hangs (--most-hangs)";
  }
  if (time_limit_ > 0 && seconds() >= time_limit_) {
    return fmt::format("not asked within {} s (--time-limit)", time_limit_);
  }
  if (const char* signal = request_to_end()) {
    return std::string("not asked after ") + signal + ", which ended the run";
  }
  return std::nullopt;
}

double seconds_to_diagnose(double wanted, double time_limit, double spent, double diagnosed) {
  constexpr double kLeast = 2;
  if (request_to_end() != nullptr) return std::max(std::min(wanted, kLeast) - diagnosed, 0.0);
  if (time_limit == 0) return wanted;
  const double left = std::max(time_limit - spent, kLeast);
  return std::max(std::min(wanted, left) - diagnosed, 0.0);
}

}  // namespace reshape::conformance
