#pragma once

#include <string>
#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/performance/workload.h"

namespace reshape::conformance::performance {

// A workload that is not timed, and why.
struct LeftOut {
  std::string name;
  std::string why;
  bool wrong = false;  // the judge failed the answer
};

struct Selected {
  std::vector<Workload> workloads;
  std::vector<LeftOut> left_out;
};

// The workloads within these capabilities. Where an implementation lacks a workload's dialect,
// another of its dialects with the same question and answer is used.
Selected promised(const std::vector<Workload>& workloads, const Capabilities& capabilities);

// Asks the library each workload once, judged as in a conformance run; workloads that are answered
// wrongly are left out. Larger ones than a conformance run executes are only checked by the
// measurement, which compares every element. Error: the library could not be started.
Result<Selected> judged(const std::vector<Workload>& workloads, const std::string& library,
                        double deadline_seconds);

}  // namespace reshape::conformance::performance
