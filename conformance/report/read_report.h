#pragma once

#include <string>
#include <vector>

#include "conformance/report/report.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// The runs that json_report() told, over `suite`, which outlives them: whatever is told of them is told as of the
// runs themselves, but for their diagnosis, which is left out. Texts are printable already.
// The error: no JSON, no such report, one of another suite, or a case that asks or expects something else than
// the suite's.
Result<std::vector<Report>> read_report(const std::string& text, const Suite& suite);

}  // namespace reshape::conformance
