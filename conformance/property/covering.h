#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/model/request.h"

namespace reshape::conformance {

// Which values of a request's parameters (its rank, its types, the place of the -1, how its strides run, ...) were
// asked together. A mistake that shows under two or three conditions at once is found by the first request that meets
// all of them, so of several candidates the one is worth asking that brings most together for the first time.
class Covering {
 public:
  Covering();

  // How many pairs and triples of values the request would bring together that none before it did; a pair counts for
  // more. 0: nothing new.
  // `answer`: the class of its answer, by a number from 0 on; the parameter that decides most.
  std::int64_t news(const Request& request, std::size_t answer) const;
  void add(const Request& request, std::size_t answer);

 private:
  std::vector<bool> pairs_;
  std::vector<bool> triples_;
};

}  // namespace reshape::conformance
