#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/tensor/shape.h"
#include "reference/tensor/shape_pattern.h"

namespace reshape::conformance {

// The data shapes over which two patterns are compared, the smallest first: by rank, then by the sum of sizes.
struct PortWorld {
  std::vector<Shape> shapes;
  std::string says;  // "rank 0..3 with sizes 0,1,2,3,64"
};

// A data shape of which some sizes are known: [?,3,?].
using PartialShape = std::vector<std::optional<std::int64_t>>;

// With `form`: all shapes of that form. Without: all of ranks 0 to one more than the pattern is long, and 3 at
// least. Sizes are 0 to 3, the values of the pattern, their product, and where that stays few their divisors, so
// that a -1 meets data that it divides and data that it does not.
PortWorld port_world(const ShapePattern& pattern, const std::optional<PartialShape>& form);

}  // namespace reshape::conformance
