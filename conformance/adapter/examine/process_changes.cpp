#include "conformance/adapter/examine/process_changes.h"

#include <algorithm>
#include <vector>

#include "conformance/model/verdict.h"

namespace reshape::conformance {
namespace {

using Observations = std::vector<Observation>;

// Finds an observation that is equal except for numbers, such as that of an open file.
Observations::const_iterator find(const Observations& all, const Observation& seen) {
  return std::ranges::find_if(all, [&](const Observation& one) {
    return one.duty == Duty::C14 && one.watch == seen.watch &&
           without_numbers(one.saw) == without_numbers(seen.saw);
  });
}

}  // namespace

bool changes_process(const Outcome& outcome) {
  return std::ranges::any_of(outcome.observations,
                             [](const Observation& seen) { return seen.duty == Duty::C14; });
}

void tell_by_which_execution(const Outcome& closely, Outcome& outcome) {
  const std::size_t executions = std::min(closely.executions.size(), outcome.executions.size());
  for (std::size_t at = 0; at < executions; ++at) {
    Execution& execution = outcome.executions[at];
    if (execution.probe.ask != closely.executions[at].probe.ask) return;
    for (const Observation& seen : closely.executions[at].observations) {
      if (find(closely.observations, seen) != closely.observations.end()) continue;
      const auto told = find(outcome.observations, seen);
      if (told == outcome.observations.end()) continue;
      execution.observations.insert(execution.observations.begin(), *told);
      outcome.observations.erase(told);
    }
  }
}

}  // namespace reshape::conformance
