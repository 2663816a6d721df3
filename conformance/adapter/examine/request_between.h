#pragma once

#include "conformance/model/request.h"

namespace reshape::conformance {

// The request that is inferred between two executions of `request`: another shape, with the other
// flag. An execution must depend on its own request, not on the last inference.
Request request_between(const Request& request);

}  // namespace reshape::conformance
