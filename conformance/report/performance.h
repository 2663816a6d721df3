#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace reshape::conformance {

// The conclusion from a ratio of times. not_slower: a slowdown can be excluded, by the
// measurement's limits.
enum class Speed : std::uint8_t { slower, faster, not_slower, not_asserted, not_measured };
const char* name(Speed speed);  // "slower", ..., "not asserted", "not measured"

// The time of one workload divided by the time of something else; without a measurement only `why`
// is set. All numbers are positive, and the interval contains the ratio.
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

// Measurements of a library by another command: shown with a run, but not part of its verdict.
struct Performance {
  std::string library;  // as it was named to that command
  std::string digest;   // its SHA-256; empty where it was no file
  std::string machine;
  std::vector<std::string> notes;  // sentences that a reader needs to weigh it
  std::vector<TimeRatios> ratios;
};

}  // namespace reshape::conformance
