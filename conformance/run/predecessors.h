#pragma once

#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/clause.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// Requests that, asked before a failing one, might cause the failure; the simplest first: the
// request itself, the same in another document, some that must be refused, and some that differ in
// one part. All are within `capabilities`.
std::vector<Request> made_up_before(const Suite& suite, const Request& request,
                                    const Capabilities& capabilities);

}  // namespace reshape::conformance
