#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/tensor/shape.h"
#include "reference/tensor/shape_pattern.h"

namespace reshape::conformance {

// The data shapes over which two patterns are compared, sorted by rank and then by sum of sizes.
struct PortWorld {
  std::vector<Shape> shapes;
  std::string says;  // for reports: "rank 0..3 with sizes 0,1,2,3,64"
};

// A data shape of which some sizes are known: [?,3,?].
using PartialShape = std::vector<std::optional<std::int64_t>>;

// With `form`: all shapes of that form. Without: of all ranks from 0 to the pattern's length plus
// one, or to 3 if that is less. The sizes are 0 to 3, the values of the pattern and their product,
// and also the divisors unless these make too many shapes, so that the data's volume sometimes is
// divisible for a -1 and sometimes not.
PortWorld port_world(const ShapePattern& pattern, const std::optional<PartialShape>& form);

}  // namespace reshape::conformance
