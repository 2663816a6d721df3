#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/performance/gate.h"
#include "conformance/performance/result_file.h"
#include "conformance/performance/workload.h"

// A comparison with a stored result instead of a library. Nothing of it is paired: what the machine did
// to one side it did not do to the other, so less can be said than of two libraries in turn.
namespace reshape::conformance::performance {

struct StoredOptions {
  Limits limits;
  double sessions = 0.03;  // what two sessions of the same library are taken to differ by
};

// Why the result says nothing about these workloads here: it is of another machine or setting, or it has
// another question under a workload's name, or none. One sentence.
std::optional<std::string> not_comparable(const ResultFile& stored, const std::string& machine,
                                          const std::string& setting,
                                          const std::vector<Workload>& workloads);

// Repetitions of each side without which no interval exists for so many workloads.
int repetitions_needed(std::size_t workloads, const Limits& limits);
// The fewest that the result has of any of the workloads.
int repetitions_of(const ResultFile& stored, const std::vector<Workload>& workloads);

// The ratio of two medians with an interval from the exact intervals of both, each of which misses with
// half of the chance, widened by what sessions differ by; the verdicts are those of estimate().
Estimate estimate_unpaired(const Figure& baseline, const Figure& candidate, int comparisons,
                           const StoredOptions& options);

// All workloads. A figure that the candidate has not got, or in another unit, is a failure there.
GateResult compare_with_stored(const std::string& path, const ResultFile& stored,
                               const std::string& library, const ResultFile& candidate,
                               const std::vector<Workload>& workloads,
                               const StoredOptions& options);

// What a reader has to know of such a verdict.
std::string unpaired_note(int stored, int candidate, const StoredOptions& options);

}  // namespace reshape::conformance::performance
