#pragma once

#include "conformance/model/request.h"
#include "conformance/property/choices.h"
#include "reference/tensor/dialect.h"

namespace reshape::conformance {

// Changes one thing about `request`: swaps two sizes or values, moves a digit from one to the next,
// changes a sign, a 0, a type or the flag. A cache whose key lacks this thing then returns the
// previous answer. Removes layouts, since they belong to the shapes. False where nothing changed.
bool change_one_thing(const Dialect& dialect, ElementTypes data_types, ElementTypes pattern_types,
                      Request& request, Choices& choices);

}  // namespace reshape::conformance
