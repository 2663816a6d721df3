#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reference/tensor/shape.h"

namespace reshape::conformance {

// Shapes other than `inferred` with as many elements: those that differ from it only in axes of
// size 1, and those with different other sizes.
struct OtherOutputs {
  std::vector<Shape> in_ones, in_sizes;
};
OtherOutputs other_outputs(const Shape& inferred);

// Describes which of these outputs an implementation accepts that has accepted one: "of outputs
// that differ in axes of size 1 alone it takes 3 of 3, of those that differ in other sizes 0 of 2; of
// those of its rank 0 of 1, of those of another rank 3 of 4".
std::string which_are_taken(const Shape& inferred, const std::function<bool(const Shape&)>& takes);

}  // namespace reshape::conformance
