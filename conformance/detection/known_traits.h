#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/detection/request_measures.h"
#include "conformance/detection/request_traits.h"

namespace reshape::conformance {

// A cache of the traits and measures of a run's requests.
class KnownTraits {
 public:
  // Traits as sorted numbers; see trait().
  struct Of {
    std::vector<int> traits;
    Measures measures;
  };
  // The request must outlive this, at the same address.
  const Of& of(const Request& request);
  const Trait& trait(int number) const { return traits_[static_cast<std::size_t>(number)]; }

 private:
  std::unordered_map<const Request*, Of> known_;
  std::unordered_map<std::string, int> numbers_;
  std::deque<Trait> traits_;  // a deque, so that their addresses stay valid
};

}  // namespace reshape::conformance
