#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/performance/growth.h"
#include "conformance/performance/machine.h"
#include "conformance/performance/rounds.h"

namespace reshape::conformance::performance {

// Another library in one repetition.
struct PeerFigure {
  double fraction = 0;  // median over passes of yardstick / peer; 0: no time
  std::string failure;  // why there is no time
  bool wrong = false;   // because its answer was wrong
};

// One repetition of one workload: fresh processes in which the library, its peers and the yardstick
// of the workload (yardsticks.h) took turns.
struct Repetition {
  double seconds = 0;            // of a call; median over passes
  double yardstick_seconds = 0;  // of the best plain copy of as many bytes, or of the product loop
  double fraction = 0;           // median over passes of yardstick / library
  std::string yardstick;
  std::map<std::string, PeerFigure> peers;
  std::string failure;  // why there is none
  bool asked = true;    // false: because of why_not_asked
};
// The result of a round of rounds.h; `arms` are the library and its peers.
Repetition repetition_of(const std::vector<Arm>& arms, const std::vector<Sample>& samples);

struct BenchRow {
  std::string name;
  std::string kind;
  double bytes = 0;
  double ns = 0;                  // median over repetitions
  double fraction = 0;            // the same
  double deviation = 0;           // of ns, as a part of it
  std::vector<double> fractions;  // by repetition
  std::vector<double> nanoseconds;
  std::string yardstick;
  std::map<std::string, PeerFigure> peers;  // medians
  std::string failure;
  bool asked = true;  // false: no library has anything to do with the failure
};

struct BenchOptions {
  std::string library;
  std::string digest;  // its SHA-256, to identify it; empty where it is not a file
  std::vector<Arm> peers;
  int repetitions = 5;
  Effort effort;
  std::uint64_t seed = 1;
};

struct BenchResult {
  std::vector<BenchRow> rows;
  std::vector<Growth> growth;
  std::string json;  // as Google Benchmark writes it, with "growth" beside "benchmarks"
};

// Runs all workloads with Google Benchmark as the engine: its registry, repetitions, aggregates and
// JSON, in which each repetition's time is that of one call. Calls `told` for every finished row; of
// the others, where somebody asks it to end (see run/ask_to_end.h), nothing is returned.
// Error: this program was built without Google Benchmark.
Result<BenchResult> bench(const std::vector<Workload>& workloads, const BenchOptions& options,
                          const Machine& machine, const std::function<void(const BenchRow&)>& told);

// The fits of the series, by kind and by what grows.
std::vector<Growth> growth_of(const std::vector<BenchRow>& rows,
                              const std::vector<Workload>& workloads);

// Why a workload is asked of no library, by itself (why_not_placed) or because its buffers would
// take more than half of the memory in all processes, or more than one process may have.
std::optional<std::string> why_not_asked(const Workload& workload, std::size_t arms);

std::string header(const std::vector<Arm>& peers);
std::string text(const BenchRow& row, const std::vector<Arm>& peers);

}  // namespace reshape::conformance::performance
