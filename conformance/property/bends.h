#pragma once

#include "conformance/model/request.h"
#include "conformance/property/aim.h"
#include "conformance/property/choices.h"
#include "reference/tensor/dialect.h"

namespace reshape::conformance {

// Turns a request that produces into one of class `aim` by breaking one clause, or opening one
// point, at a random place. The rest of the request stays, so that each class occurs with ordinary
// sizes, ranks, lengths and types. False when that is not possible with this request, which is then
// of any class.
bool bend(const Dialect& dialect, const Aim& aim, ElementTypes data_types,
          ElementTypes pattern_types, Request& request, Choices& choices);

}  // namespace reshape::conformance
