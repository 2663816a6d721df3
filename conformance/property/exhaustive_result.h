#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace reshape::conformance {

// The result of a run of every request within a bound.
struct ExhaustiveResult {
  std::string bound;  // "ranks 0..4, sizes 0..3, patterns of length 0..4, values -2..4"
  std::map<std::string, std::uint64_t> asked;  // by dialect
  std::uint64_t requests = 0;
  std::uint64_t layouts = 0;  // requests of the byte plane
  std::uint64_t faults = 0;
  double seconds = 0;   // of the shape plane
  std::string stopped;  // why not all were asked; empty: all were
};

}  // namespace reshape::conformance
