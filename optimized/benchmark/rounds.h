#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "optimized/benchmark/workloads.h"

namespace reshape::optimized {

// What the rounds of one workload came to.
struct Standing {
  std::string workload;
  int bits = 32;
  int threads = 1;
  double moved_bytes = 0;                  // read and written, each counted once
  std::string kernel;                      // what ours ran, in words
  std::string best_copy;                   // the plain copy with the best median
  std::string refused;                     // why there is no standing; empty when there is
  std::map<std::string, double> seconds;   // median of a call, by candidate
  std::map<std::string, double> fraction;  // median over rounds of best copy's time / its time
  std::vector<std::string> wrong;          // peers whose output was not the reference's
};

struct Effort {
  int rounds = 15;
  double least_bytes = 6 << 20;  // a candidate repeats in its turn until it moved as much
  double turn_seconds = 0.005;   // or took this long
  double most_bytes = 0;         // workloads beyond this are refused; 0: what memory has room for
};

// Runs every candidate in turn on the same two buffers, in another order each round, so that what
// disturbs the machine disturbs all alike. Each output is compared with the naive walk first, from a
// poisoned buffer: a peer that is wrong is not timed, and ours being wrong refuses the row. The
// naive walk itself is timed once, as "reference".
Standing stand(const Workload& workload, int bits, int threads, const Effort& effort);

}  // namespace reshape::optimized
