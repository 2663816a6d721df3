#include "conformance/performance/turn.h"

#include <chrono>
#include <cmath>

namespace reshape::conformance::performance {

double steady_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

std::vector<double> time_blocks(const Turn& turn, const Timed& timed, const Clock& clock) {
  const double uncounted = static_cast<double>(turn.calls) * turn.slowed;
  const auto whole = static_cast<std::int64_t>(std::floor(uncounted));
  const auto made = static_cast<double>(turn.calls + whole);
  std::vector<double> seconds;
  for (int block = 0; block < turn.blocks; ++block) {
    timed.before();
    const double begin = clock();
    timed.run(turn.calls + whole);
    double end = clock();
    const double part = (uncounted - static_cast<double>(whole)) * (end - begin) / made;
    for (const double done = end + part; turn.slowed > 0 && end < done;) end = clock();
    if (!timed.right()) return {};
    seconds.push_back((end - begin) / static_cast<double>(turn.calls));
  }
  return seconds;
}

}  // namespace reshape::conformance::performance
