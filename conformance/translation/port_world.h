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
// one, or to 3 if that is less. The sizes are 0 to 3, the values of the pattern, their product and
// the divisors of these, so that the data's volume sometimes is divisible for a -1 and sometimes
// not. Where that makes too many shapes, the largest of these sizes are taken by two axes only,
// beside others of 1: some data has the pattern's volume all the same.
PortWorld port_world(const ShapePattern& pattern, const std::optional<PartialShape>& form);

}  // namespace reshape::conformance
