#pragma once

#include <string>
#include <vector>

#include "conformance/performance/record.h"
#include "conformance/performance/rounds.h"
#include "conformance/performance/turn.h"
#include "conformance/performance/verdict.h"

namespace reshape::conformance::performance {

struct GateOptions {
  Limits limits;
  double wanted = 0.03;  // the slowdown that the rounds are planned to find
  int pilot = 30;        // first rounds of all workloads, to plan how many more each needs
  int most_rounds = 120;
  double minutes = 8;  // no round begins after this
  std::uint64_t seed = 1;
};

// The arms of a gate, the baseline first: the candidate, the twin where there is one, the baseline
// once more, and the baseline slowed by 3, 5 and 10 %. Without a candidate: a calibration.
std::vector<Arm> arms_of(const std::string& baseline, const std::string& candidate,
                         const std::string& twin);

struct WorkloadResult {
  std::string name;
  double baseline_ns = 0;           // median of a call
  std::vector<Estimate> estimates;  // by arm; that of the baseline is meaningless
  // Why an arm has no estimate, by arm. If the baseline fails, the others are not run.
  std::vector<std::string> failures;
  std::vector<bool> wrong;  // the failure is a wrong answer
};

struct GateResult {
  std::vector<Arm> arms;
  std::vector<WorkloadResult> workloads;
  GateOptions options;
  Record plays;  // of this gate alone
  int rounds = 0;
  int planned = 0;  // rounds that the noisiest workload would have needed
  double seconds = 0;
};

// Runs the pilot rounds, plans the rest of the rounds from their noise, runs these, and estimates.
// The number of rounds depends on the spread of the ratios, never on their values. `clock` limits
// the time.
GateResult play(const std::vector<Arm>& arms, const std::vector<std::string>& names,
                const MeasureRound& measure, const GateOptions& options,
                const Clock& clock = steady_seconds);

// The decision of the gate as a whole.
struct Decision {
  int exit_code = 0;  // 0, 1 (a regression, or wrong answers), 3, or 4 (nothing could be asserted)
  std::string sentence;
};
Decision decide(const GateResult& result, const Record& running);

// How many workloads have this finding for the arm.
int count(const GateResult& result, std::size_t arm, Finding finding);

}  // namespace reshape::conformance::performance
