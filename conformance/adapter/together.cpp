#include "conformance/adapter/together.h"

#include <barrier>
#include <thread>
#include <utility>

#include "conformance/adapter/examine.h"

namespace reshape::conformance {
namespace {

bool same(const Outcome& one, const Outcome& other) {
  if (one.kind != other.kind || one.shape != other.shape ||
      one.executions.size() != other.executions.size()) {
    return false;
  }
  for (std::size_t at = 0; at < one.executions.size(); ++at) {
    if (one.executions[at].status != other.executions[at].status ||
        !same_elements(one.executions[at], other.executions[at])) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<Outcome> examine_together(const PluginLibrary& library,
                                      const std::vector<Request>& requests, int times) {
  std::vector<Outcome> outcomes(requests.size());
  std::barrier begin(static_cast<std::ptrdiff_t>(requests.size()));
  std::vector<std::jthread> threads;
  for (std::size_t at = 0; at < requests.size(); ++at) {
    threads.emplace_back([&, at] {
      Examiner examiner(library, false);
      begin.arrive_and_wait();
      outcomes[at] = examiner.examine(requests[at]);
      bool differs = false;
      for (int time = 1; time < times && !differs; ++time) {
        Outcome again = examiner.examine(requests[at]);
        differs = !same(outcomes[at], again);
        if (differs) outcomes[at] = std::move(again);
      }
    });
  }
  threads.clear();
  return outcomes;
}

}  // namespace reshape::conformance
