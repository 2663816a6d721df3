#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "conformance/property/choices.h"
#include "conformance/property/layouts.h"
#include "reference/tensor/element_type.h"
#include "reference/tensor/shape.h"

namespace reshape::conformance {

// Two shapes with the same number of elements: what is given and what is to be asked for.
struct ShapePair {
  Shape data;
  Shape output;
  // The sizes are for inference only: no memory could hold the elements.
  bool shape_only = false;
  // Layouts that belong to the shapes; any other side is laid out apart.
  std::optional<Placement> placed_data = {}, placed_output = {};
};

// A named region of shapes. Bounded-exhaustive runs do not show what only large, odd or rare
// shapes show; each family is drawn by its weight and counted in the distribution.
struct Family {
  std::string_view name;
  unsigned weight;
  ShapePair (*draw)(Choices&);
  ElementTypes prefers = {};  // where the dialect and the implementation have one of these
  bool moves_bytes = false;   // drawn only for what is executed
};

std::span<const Family> families();

// A family by weight; those that only differ in how bytes move only where they will.
const Family& draw_family(bool executed, Choices& choices);

}  // namespace reshape::conformance
