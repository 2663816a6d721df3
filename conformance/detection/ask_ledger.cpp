#include "conformance/detection/ask_ledger.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "conformance/adapter/more_threads.h"

namespace reshape::conformance {

AdapterOptions reach(const self::Mutant& mutant, double deadline_seconds) {
  AdapterOptions options;
  options.library = "mutant:" + std::string(mutant.name);
  options.deadline_seconds = deadline_seconds;
  return options;
}

void at_once(std::size_t count, int jobs, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t turn = next++; turn < count; turn = next++) task(turn);
  };
  Jobs others;
  others.start(static_cast<std::size_t>(std::max(jobs - 1, 0)), work);
  work();
  others.wait();
}

std::chrono::steady_clock::duration time_of(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(std::clamp(seconds, 0.0, 1e6)));
}

}  // namespace reshape::conformance
