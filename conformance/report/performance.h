#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace reshape::conformance {

// What a ratio of times lets be said. Not slower: a slowdown is excluded, by the bounds of who measured.
enum class Speed : std::uint8_t { slower, faster, not_slower, not_asserted, not_measured };
const char* name(Speed speed);  // "slower", ..., "not asserted", "not measured"

// The time of one workload over the time of something else; of what was not measured only the reason is
// there. All numbers are positive, and the interval has the ratio in it.
struct TimeRatio {
  std::string workload;
  Speed speed = Speed::not_measured;
  std::string why = {};  // nothing is asserted, or nothing was measured
  double ratio = 0;
  std::optional<std::pair<double, double>> interval = {};
};

struct TimeRatios {
  std::string over;  // what a ratio of 1 is as fast as: "the baseline, ./before.so"
  std::vector<TimeRatio> rows;
};

// How fast a library is, as another command measured it: shown beside a run, and no part of its verdict.
struct Performance {
  std::string library;  // as it was named to that command
  std::string digest;   // its SHA-256; empty where it was no file
  std::string machine;
  std::vector<std::string> notes;  // sentences that a reader needs to weigh it
  std::vector<TimeRatios> ratios;
};

}  // namespace reshape::conformance
