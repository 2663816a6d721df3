#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "conformance/property/choices.h"
#include "conformance/property/layouts.h"
#include "reference/tensor/element_type.h"
#include "reference/tensor/shape.h"

namespace reshape::conformance {

// Two shapes with the same number of elements: the data's and the output's.
struct ShapePair {
  Shape data;
  Shape output;
  // The sizes are for inference only: no memory could hold the elements.
  bool shape_only = false;
  // The axis of the output that a -1 stands for; without one it is drawn elsewhere.
  std::optional<std::size_t> inferred = {};
  // Layouts that belong to the shapes; a side without one gets its layout elsewhere.
  std::optional<Placement> placed_data = {}, placed_output = {};
};

// The shape with so many axes of one element more, each at a random place.
Shape with_ones(const Shape& shape, std::int64_t ones, Choices& choices);

// A named family of shapes, for mistakes that only large, odd or rare shapes show and
// bounded-exhaustive runs do not. Drawn by its weight, and counted in the distribution.
struct Family {
  std::string_view name;
  unsigned weight;
  ShapePair (*draw)(Choices&);
  ElementTypes prefers = {};  // where the dialect and the implementation have one of these
  bool moves_bytes = false;   // drawn only for what is executed
};

std::span<const Family> families();

// Draws a family by weight. Those with moves_bytes only for requests that are executed.
const Family& draw_family(bool executed, Choices& choices);

}  // namespace reshape::conformance
