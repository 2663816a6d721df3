#pragma once

#include "conformance/model/request.h"
#include "reference/resolve.h"
#include "reference/tensor/dialect.h"
#include "reference/tensor/ruling.h"

namespace reshape::conformance {

// What a document answers to a request, as the reference reads its rules: the one way from what is
// asked to what is right. Of the request only the sizes, the pattern, the type and the flag count.
// The derivation may be null.
Ruling ruling_of(const Dialect& dialect, const Request& request,
                 reference::Derivation* derivation = nullptr);

}  // namespace reshape::conformance
