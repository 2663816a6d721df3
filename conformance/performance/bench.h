#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "conformance/performance/growth.h"
#include "conformance/performance/machine.h"
#include "conformance/performance/rounds.h"

namespace reshape::conformance::performance {

// One repetition of one workload: a fresh process in which the library and the plain copies of as many
// bytes took turns.
struct Repetition {
  double seconds = 0;       // of a call; median over passes
  double copy_seconds = 0;  // of the best copy; 0: the workload does not copy
  double fraction = 0;      // median over passes of best copy / library; 0 likewise
  std::string best_copy;
  std::string failure;  // why there is none
};
Repetition repeat(const std::string& library, const Workload& workload, const Effort& effort,
                  std::uint64_t seed);

struct BenchRow {
  std::string name;
  std::string kind;
  double bytes = 0;
  double ns = 0;                  // median over repetitions
  double fraction = 0;            // the same; 0: no copy
  double deviation = 0;           // of ns, as a part of it
  std::vector<double> fractions;  // by repetition
  std::vector<double> nanoseconds;
  std::string best_copy;
  std::string failure;
};

struct BenchOptions {
  std::string library;
  int repetitions = 5;
  Effort effort;
  std::uint64_t seed = 1;
};

struct BenchResult {
  std::vector<BenchRow> rows;
  std::vector<Growth> growth;
  std::string json;  // as Google Benchmark writes it, with "growth" beside "benchmarks"
};

// Repeats all workloads with Google Benchmark as the engine: its registry, repetitions, aggregates and
// JSON, in which each repetition's time is that of one call. `told` hears of every finished row. The
// error: this program was built without Google Benchmark.
Result<BenchResult> bench(const std::vector<Workload>& workloads, const BenchOptions& options,
                          const Machine& machine, const std::function<void(const BenchRow&)>& told);

// The fits of the rows "growth/...", by kind.
std::vector<Growth> growth_of(const std::vector<BenchRow>& rows,
                              const std::vector<Workload>& workloads);

std::string header();
std::string text(const BenchRow& row);

}  // namespace reshape::conformance::performance
