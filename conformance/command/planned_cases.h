#pragma once

#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/clause.h"
#include "conformance/run/result.h"

namespace reshape::conformance {

// The cases of the suite that a run with these options plans for an implementation, in the order of
// the suite; of all shards. Without --dialect those of the dialects that it declares.
std::vector<const Case*> planned_cases(const Suite& suite, const RunOptions& options,
                                       const Capabilities& capabilities);

}  // namespace reshape::conformance
