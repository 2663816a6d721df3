#pragma once

#include "conformance/model/request.h"
#include "conformance/property/aim.h"
#include "conformance/property/choices.h"
#include "reference/tensor/dialect.h"

namespace reshape::conformance {

// Bends a request that produces into one of class `aim`: one clause broken, or one point opened, at a
// place that is drawn, while the rest of the request stays as it is, so that each class is met with
// ordinary sizes, ranks, lengths and types. False when this request does not lend itself to it; the
// request is then of any class.
bool bend(const Dialect& dialect, const Aim& aim, ElementTypes data_types,
          ElementTypes pattern_types, Request& request, Choices& choices);

}  // namespace reshape::conformance
