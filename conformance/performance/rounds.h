#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "conformance/performance/workload.h"

namespace reshape::conformance::performance {

// What an arm is there for. `same` is the baseline once more, and `slowed` the baseline made slower on
// purpose: what a gate says of these is known to be right or wrong. A `peer` is another library that
// is timed beside the first arm.
enum class Role : std::uint8_t { baseline, candidate, twin, same, slowed, peer };

// One of the libraries that are measured in turn.
struct Arm {
  Role role = Role::baseline;
  std::string library;
  double slowed = 0;
  std::string name = {};  // of a peer
};
std::string text(const Arm& arm);  // "baseline", "same again", "3 % slower"

// How long the arms are looked at in a round; all arms have the same calls and blocks.
struct Effort {
  double block_seconds = 0.0001;
  int blocks = 2;
  int passes = 12;
  double deadline_seconds = 20;  // for each answer of a worker
  int threads = 0;               // that the libraries are told to use; 0: they are told nothing
  // After each pass of the first arm its process times the yardsticks: plain copies of as many bytes,
  // or for inference and views the product loop.
  bool yardsticks = false;
};

// One round: which workloads, and the seed that decides the layout and the order of the arms.
struct RoundPlan {
  std::uint64_t seed = 0;
  std::vector<std::size_t> workloads;
  bool thorough = false;  // every element is compared, not some
};

// What one arm did on one workload in one round.
struct Sample {
  std::vector<double> passes;  // seconds of a call, of the fastest block in each pass
  std::string failure;         // why there is none
  bool wrong = false;          // the failure is a wrong answer
  std::map<std::string, std::vector<double>> yardsticks = {};  // the same, of the first arm
};

// samples[workload][arm], by index; workloads that were not in the plan are absent.
using Round = std::map<std::size_t, std::vector<Sample>>;
using MeasureRound = std::function<Round(const RoundPlan& plan)>;

// Measures with fresh worker processes for every round, all alive at the same time and only one of
// them working. Workload by workload the arms take their turns, so that the turns that are compared
// lie milliseconds apart; the order of the arms is drawn and reversed from pass to pass. `calls` of a
// block are settled once for each workload, by the first arm.
MeasureRound measure_in_processes(std::vector<Arm> arms, std::vector<Workload> workloads,
                                  const Effort& effort);

// The round's ratio: the median over passes of log(arm / baseline). A neighbour that takes half of a
// core's speed away does so for longer than a pass, and so from both; the median does without the
// passes in which it came or went. Precondition: both have passes.
double round_ratio(const Sample& arm, const Sample& baseline);

}  // namespace reshape::conformance::performance
