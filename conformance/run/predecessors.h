#pragma once

#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/clause.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// Requests to ask before a failing one, the simplest first: itself, the same by another document, some that must be
// refused, and the same but for one part. Each can be asked of an implementation that promises `capabilities`.
std::vector<Request> made_up_before(const Suite& suite, const Request& request,
                                    const Capabilities& capabilities);

}  // namespace reshape::conformance
