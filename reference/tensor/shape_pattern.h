#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/tensor/element_type.h"
#include "reference/tensor/shape.h"

namespace reshape {

// One value of a pattern: wide enough for every i64 and every u64, so that 2^64-1 stays 2^64-1.
using PatternValue = __int128;

// What the caller asks the output shape to be: sizes, and the special values -1 and 0, which a
// Dialect turns into a Shape. `values` are in row-major order of the pattern tensor.
struct ShapePattern {
  ElementType type = ElementType::i64;
  std::vector<PatternValue> values;
  // Shape of the pattern tensor itself; absent means one-dimensional, [values.size()].
  std::optional<Shape> tensor_shape = std::nullopt;

  bool one_dimensional() const { return !tensor_shape || tensor_shape->rank() == 1; }
  friend bool operator==(const ShapePattern&, const ShapePattern&) = default;
};

// Whether an integer type holds the value, or all values of the pattern.
bool holds(ElementType integer, PatternValue value);
bool holds(ElementType integer, const ShapePattern& pattern);

std::string text(PatternValue value);
// "i64[0,-1,4]"
std::string text(const ShapePattern& pattern);

}  // namespace reshape
