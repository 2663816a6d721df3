#pragma once

#include <string>
#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {

// An execution of a request whose inferred shape has another volume than its data.
struct WrongVolume {
  Probe probe;
  Layout output;
};

// One execution with an output as large as the data, and one with the inferred shape. None for
// requests that are not executed or in place, and where the data or the inferred shape is large.
std::vector<WrongVolume> wrong_volumes(const Request& request, const Capabilities& capabilities,
                                       const Shape& inferred);

// The observation for such an execution that did not return, if no watch saw more. `how` is "died
// of SIGABRT", "no answer within 10 s", "threw a C++ exception: ...".
Observation ended_in_wrong_volume(const std::string& how);

}  // namespace reshape::conformance
