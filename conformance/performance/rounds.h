#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "conformance/performance/workload.h"

namespace reshape::conformance::performance {

// The role of an arm. `same` is the baseline once more, and `slowed` the baseline made slower on
// purpose: for these the right finding is known. A `peer` is another library that is timed along
// with the first arm.
enum class Role : std::uint8_t { baseline, candidate, twin, same, slowed, peer };

// One of the libraries that are measured in turn.
struct Arm {
  Role role = Role::baseline;
  std::string library;
  double slowed = 0;
  std::string name = {};  // of a peer
};
std::string text(const Arm& arm);  // "baseline", "same again", "3 % slower"

// How much is measured in a round; all arms have the same calls and blocks.
struct Effort {
  double block_seconds = 0.0001;
  int blocks = 2;
  int passes = 12;
  double deadline_seconds = 20;  // for each answer of a worker
  int threads = 0;               // for the libraries; 0: not specified
  // After each pass of the first arm its process times the yardsticks: plain copies of as many
  // bytes, or for inference and views the product loop.
  bool yardsticks = false;
};

// One round: which workloads, and the seed that decides the layout and the order of the arms.
struct RoundPlan {
  std::uint64_t seed = 0;
  std::vector<std::size_t> workloads;
  bool thorough = false;  // every element is compared, not some
};

// The measurements of one arm on one workload in one round.
struct Sample {
  std::vector<double> passes;  // seconds of a call, of the fastest block in each pass
  std::string failure;         // why there is none
  bool wrong = false;          // the failure is a wrong answer
  std::map<std::string, std::vector<double>> yardsticks = {};  // the same, of the first arm
};

// samples[workload][arm], by index; workloads that were not in the plan are absent.
using Round = std::map<std::size_t, std::vector<Sample>>;
using MeasureRound = std::function<Round(const RoundPlan& plan)>;

// Measures with fresh worker processes for every round, which live at the same time but work one at
// a time. The arms take turns for each workload, so that compared turns are milliseconds apart; the
// order of the arms is random, and reversed from pass to pass. The first arm determines the number
// of calls in a block, once for each workload.
MeasureRound measure_in_processes(std::vector<Arm> arms, std::vector<Workload> workloads,
                                  const Effort& effort);

// The round's ratio: the median over passes of log(arm / baseline). Disturbances by other load last
// longer than a pass and so affect both; the median ignores the passes in which they begin or end.
// Precondition: both have passes.
double round_ratio(const Sample& arm, const Sample& baseline);

}  // namespace reshape::conformance::performance
