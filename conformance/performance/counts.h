#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "conformance/performance/workload.h"

namespace reshape::conformance::performance {

// The cost of one call of a workload in counts, which a busy machine does not change. Below 0:
// could not be counted.
struct Counts {
  double instructions = -1;
  double reads = -1;  // of memory, by instructions
  double writes = -1;
  double allocations = -1;
  double allocated_bytes = -1;
  std::string failure;     // why something was not counted that should have been
  bool view_lost = false;  // a view was promised, but the library asks for a copy
};

struct CountOptions {
  std::string library;
  std::string counter;  // libreshape_allocations.so; empty: allocations are not counted
  std::string valgrind = "valgrind";
  int calls = 100;
  double deadline_seconds = 120;
};

// Counts every workload: instructions and accesses in a worker under callgrind, allocations in one
// with the counting library preloaded. Without valgrind there are no instructions, which is no
// failure; nor is it where this program was built without its header. Calls `told` before each
// workload and at the end. Where somebody asks it to end (see run/ask_to_end.h), returns those before.
std::vector<Counts> count(
    const std::vector<Workload>& workloads, const CountOptions& options,
    const std::function<void(int done, int all)>& told = [](int, int) {});

// The last "events:" and "totals:" (or "summary:") of a callgrind file, by event.
std::map<std::string, double> callgrind_totals(const std::string& text);

// How a candidate compares with its baseline, one sentence each.
struct Compared {
  // More instructions by more than `percent`, any more allocations, a view that became a copy.
  std::vector<std::string> worse;
  std::vector<std::string> not_compared;  // what one of the two has no count of, and whose
  int compared = 0;                       // workloads that both have a count of
};
Compared compared(const std::vector<Workload>& workloads, const std::vector<Counts>& baseline,
                  const std::vector<Counts>& candidate, double percent);

}  // namespace reshape::conformance::performance
