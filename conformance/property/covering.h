#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/model/request.h"

namespace reshape::conformance {

// Combinatorial coverage: which pairs and triples of parameter values (rank, types, the place of
// the -1, the directions of the strides, ...) occurred in one request. A mistake that needs two or
// three conditions at once is found by the first request that meets all of them, so of several
// candidates the one with the most new combinations is the most useful.
class Covering {
 public:
  Covering();

  // The number of pairs and triples that would be new, pairs weighted higher; 0: nothing new.
  // `answer` is the number, from 0 on, of the class of its answer, which counts as a parameter; so
  // does what the -1 stands for in `output`, the shape that it produces, empty where it refuses.
  std::int64_t news(const Request& request, std::size_t answer, const Shape& output) const;
  void add(const Request& request, std::size_t answer, const Shape& output);

 private:
  std::vector<bool> pairs_;
  std::vector<bool> triples_;
};

}  // namespace reshape::conformance
