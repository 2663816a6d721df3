#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/detection/request_measures.h"
#include "conformance/detection/request_traits.h"

namespace reshape::conformance {

// What can be said of the requests of a run, worked out once for each, whatever groups it is then in.
class KnownTraits {
 public:
  // Traits are told by their numbers, which are sorted.
  struct Of {
    std::vector<int> traits;
    Measures measures;
  };
  // Of a request that stays where it is as long as this.
  const Of& of(const Request& request);
  const Trait& trait(int number) const { return traits_[static_cast<std::size_t>(number)]; }

 private:
  std::unordered_map<const Request*, Of> known_;
  std::unordered_map<std::string, int> numbers_;
  std::deque<Trait> traits_;  // which stay where they are
};

}  // namespace reshape::conformance
