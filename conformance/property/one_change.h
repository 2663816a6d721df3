#pragma once

#include "conformance/model/request.h"
#include "conformance/property/choices.h"
#include "reference/tensor/dialect.h"

namespace reshape::conformance {

// Changes one thing about `request`: two sizes or values in the other order, a digit that moves from one
// to the next, a sign, a 0, a type, the flag. What answers by a key that lacks this thing gives the
// answer of the request before. Layouts are taken away, since they belong to the shapes. False where
// nothing changed.
bool change_one_thing(const Dialect& dialect, ElementTypes data_types, ElementTypes pattern_types,
                      Request& request, Choices& choices);

}  // namespace reshape::conformance
