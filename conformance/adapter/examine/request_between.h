#pragma once

#include <optional>

#include "conformance/model/request.h"

namespace reshape::conformance {

// The request that is inferred between two executions of `request`: another shape, with the other
// flag. An execution must depend on its own request, not on the last inference.
Request request_between(const Request& request);

// What else is inferred between two: the same with the other flag, where the pattern has a 0 that a
// flag decides.
std::optional<Request> with_other_flag(const Request& request);

// The same data by sizes that multiply to 2^63 or more, which every document refuses: what was noted
// of a refusal must not last. Nothing where the pattern's type holds no whole sizes above 1.
std::optional<Request> refused_between(const Request& request);

}  // namespace reshape::conformance
