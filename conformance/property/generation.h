#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace reshape::conformance {

// A failing generated request after shrinking.
struct Smallest {
  std::string id;  // of the request that it comes from: "generated/7/12"
  std::string line;
  std::string fails;  // "shape plane, shape: expected rejects volume.kept, answered ..."
  std::string yaml;   // a case that is ready for specs/
};

// How requests were generated, and how their kinds are distributed.
struct Generation {
  std::uint64_t seed = 0;
  int requests = 0;
  // "family" -> "high-rank" -> 12
  std::map<std::string, std::map<std::string, int>> drawn;
  std::vector<Smallest> smallest;
};

}  // namespace reshape::conformance
