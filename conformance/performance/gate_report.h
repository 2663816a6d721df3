#pragma once

#include <string>
#include <vector>

#include "conformance/performance/gate.h"
#include "conformance/performance/judged.h"
#include "conformance/performance/machine.h"

namespace reshape::conformance::performance {

// The full result of a comparison.
struct GateReport {
  Machine machine;
  GateResult result;
  Record running;  // with this gate's plays
  Decision decision;
  std::vector<LeftOut> left_out;
  std::vector<std::string> digests;  // SHA-256 of the arms' libraries: they are known again by it
  std::string unpaired;              // of a stored baseline: what the verdicts rest on (stored.h)
  bool same_bytes = false;           // candidate and baseline are the same file, byte for byte
};

// For a terminal: a line for each workload, the record, the decision.
std::string text(const GateReport& report);
// The same as Markdown, for the summary of a CI step.
std::string markdown(const GateReport& report);
std::string json_text(const GateReport& report);

}  // namespace reshape::conformance::performance
