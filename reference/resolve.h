#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/tensor/dialect.h"
#include "reference/tensor/element_type.h"
#include "reference/tensor/ruling.h"
#include "reference/tensor/shape.h"
#include "reference/tensor/shape_pattern.h"

namespace reshape::reference {

// One step on the way from a pattern to an answer, in words, with the clause it rests on.
struct Step {
  std::string clause;  // "zero.copies"
  std::string says;    // "pattern[0] is 0 and special_zero is true: copies 2 from data[0]"
};

// How an answer came about: the steps that the rules themselves recorded, in order.
using Derivation = std::vector<Step>;

// What the rules read of a request. Sizes only: no bytes are needed to know the shape.
struct Question {
  ElementType data_type = ElementType::f32;
  Shape data;
  ShapePattern pattern;
  std::optional<bool> special_zero;  // absent: not given
};

// What the document behind `dialect` answers: the shape, a refusal with the broken clause, or an
// open point with what it permits. Where several clauses are broken, the first in the order of the
// file is named; a refusal always wins over an open point. Products are exact at every size. Never
// throws. `derivation` may be null.
Ruling resolve(const Dialect& dialect, const Question& question, Derivation* derivation = nullptr);

}  // namespace reshape::reference
