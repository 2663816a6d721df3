#pragma once

#include <initializer_list>
#include <optional>

#include "conformance/model/request.h"
#include "conformance/property/aim.h"
#include "conformance/property/choices.h"
#include "reference/tensor/dialect.h"

namespace reshape::conformance {

// Writes a pattern and a flag into `request` that resolve to `output` (of the data's volume):
// copied zeros where sizes agree, one -1 where it is determined, plain sizes elsewhere. The -1
// stands for the axis `inferred` where one is given and the dialect infers.
void write_pattern(const Dialect& dialect, const Shape& output, Request& request, Choices& choices,
                   std::optional<std::size_t> inferred = {});

// Draws a pattern type among `types` that holds every value of the pattern; where none does, the
// widest. Sometimes prefers the smallest such type, to test the ends of its range.
void choose_pattern_type(ElementTypes types, Request& request, Choices& choices);

// The first of `wanted` that is among the types, else the first of them; `otherwise` where there is
// none.
ElementType preferred_type(ElementTypes types, std::initializer_list<ElementType> wanted,
                           ElementType otherwise);

// One of the types; nothing where there is none.
std::optional<ElementType> draw_type(ElementTypes types, Choices& choices);

// A small fixed request of class `aim`.
Request plainest(const Dialect& dialect, const Aim& aim);

}  // namespace reshape::conformance
