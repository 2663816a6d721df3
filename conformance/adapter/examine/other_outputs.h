#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reference/tensor/shape.h"

namespace reshape::conformance {

// Shapes of as many elements as `inferred`, which is another one: those that differ from it in axes of size 1 alone,
// and those whose other sizes differ as well.
struct OtherOutputs {
  std::vector<Shape> in_ones, in_sizes;
};
OtherOutputs other_outputs(const Shape& inferred);

// Of an implementation that took one such output: which of the others it takes. "of outputs that differ in axes of size
// 1 alone it takes 3 of 3, of those that differ in other sizes 0 of 2".
std::string which_are_taken(const Shape& inferred, const std::function<bool(const Shape&)>& takes);

}  // namespace reshape::conformance
