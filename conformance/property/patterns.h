#pragma once

#include "conformance/model/request.h"
#include "conformance/property/aim.h"
#include "conformance/property/choices.h"
#include "reference/tensor/dialect.h"

namespace reshape::conformance {

// Writes a pattern and a flag into `request` that resolve to `output` (of the data's volume): copied
// zeros where sizes agree, one -1 where it is determined, plain sizes elsewhere.
void write_pattern(const Dialect& dialect, const Shape& output, Request& request, Choices& choices);

// Draws a pattern type among `types` that holds every value of the pattern; where none does, the widest.
// Sometimes the smallest one that just holds the values, so that the ends of each type are met.
void choose_pattern_type(ElementTypes types, Request& request, Choices& choices);

// Bends a request that produces into one of class `aim`: one clause broken, or one point opened. False
// when this request does not lend itself to it.
bool bend(const Dialect& dialect, const Aim& aim, ElementTypes data_types,
          ElementTypes pattern_types, Request& request, Choices& choices);

// A small fixed request of class `aim`.
Request plainest(const Dialect& dialect, const Aim& aim);

}  // namespace reshape::conformance
