#include "conformance/detection/ask_ledger.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

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
  std::vector<std::jthread> others;
  for (int job = 1; job < jobs; ++job) others.emplace_back(work);
  work();
}

}  // namespace reshape::conformance
