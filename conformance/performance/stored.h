#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/performance/gate.h"
#include "conformance/performance/result_file.h"
#include "conformance/performance/workload.h"

// A comparison with a stored result instead of a library. It is unpaired (the machine's state
// differed), so less can be concluded than from measuring two libraries in turn.
namespace reshape::conformance::performance {

struct StoredOptions {
  Limits limits;
  double sessions = 0.03;  // the assumed difference between two sessions of the same library
};

// Why the stored result cannot be used for these workloads here: it is of another machine or
// setting, or a workload's question differs or is missing. One sentence.
std::optional<std::string> not_comparable(const ResultFile& stored, const std::string& machine,
                                          const std::string& setting,
                                          const std::vector<Workload>& workloads);

// The fewest repetitions of each side for which an interval exists, with so many workloads.
int repetitions_needed(std::size_t workloads, const Limits& limits);
// The fewest that the result has of any of the workloads.
int repetitions_of(const ResultFile& stored, const std::vector<Workload>& workloads);

// The ratio of two medians with an interval from the exact intervals of both (each with half of the
// miss probability), widened by the difference between sessions; the findings are those of
// estimate().
Estimate estimate_unpaired(const Figure& baseline, const Figure& candidate, int comparisons,
                           const StoredOptions& options);

// Compares all workloads. A figure that the candidate lacks, or has in another unit, is a failure
// of that workload.
GateResult compare_with_stored(const std::string& path, const ResultFile& stored,
                               const std::string& library, const ResultFile& candidate,
                               const std::vector<Workload>& workloads,
                               const StoredOptions& options);

// The note about the limits of such a verdict.
std::string unpaired_note(int stored, int candidate, const StoredOptions& options);

}  // namespace reshape::conformance::performance
