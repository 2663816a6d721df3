#pragma once

#include "conformance/model/request.h"

namespace reshape::conformance {

// What is inferred between two executions of a request: another shape, with the other flag. An execution rests on its
// own request and not on what was inferred last.
Request request_between(const Request& request);

}  // namespace reshape::conformance
