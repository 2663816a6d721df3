#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/detection/request_traits.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// The numbers that describe a request, such as the rank of its data, each at a fixed index. Nothing
// where a number does not apply.
using Measures = std::vector<std::optional<std::int64_t>>;
Measures measures_of(const Request& request);

// A bound of one of them: "data of rank 5 or more".
struct Bound {
  Trait trait;
  std::size_t measure = 0;
  std::optional<std::int64_t> least, most;

  bool holds(const Measures& measures) const {
    const std::optional<std::int64_t>& value = measures[measure];
    return value && (!least || *value >= *least) && (!most || *value <= *most);
  }
};

// The ranges of the measures of a group of requests.
class Ranges {
 public:
  explicit Ranges(const Measures& first) : least_(first), most_(first) {}
  void widen(const Measures& more);
  std::vector<Bound> bounds() const;

 private:
  Measures least_, most_;  // nothing: does not apply to some request
};

}  // namespace reshape::conformance
