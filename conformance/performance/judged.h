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

// The workloads that an implementation with these capabilities promises to answer. Where it lacks the
// dialect of a workload, another one of its own that asks and answers the same takes its place.
Selected promised(const std::vector<Workload>& workloads, const Capabilities& capabilities);

// Asks the library each workload once, judged as in a conformance run; what is answered wrongly is
// left out. Above the size that is ever executed there, the measurement's own comparison of every
// element stands alone. The error: it could not be started.
Result<Selected> judged(const std::vector<Workload>& workloads, const std::string& library,
                        double deadline_seconds);

}  // namespace reshape::conformance::performance
