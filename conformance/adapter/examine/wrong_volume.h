#pragma once

#include <string>
#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {

// How a request is executed whose inferred shape has another volume than its data.
struct WrongVolume {
  Probe probe;
  Layout output;
};

// Once with an output as large as the data, and once with one of the shape that was inferred. None
// where nothing is executed, in place, and where the data or what was inferred is large.
std::vector<WrongVolume> wrong_volumes(const Request& request, const Capabilities& capabilities,
                                       const Shape& inferred);

// What is told of such an execution that did not return, and of which no watch saw more. `how` is
// "died of SIGABRT", "no answer within 10 s", "threw a C++ exception: ...".
Observation ended_in_wrong_volume(const std::string& how);

}  // namespace reshape::conformance
