#pragma once

#include <string>
#include <vector>

#include "conformance/report/report.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// Reads the runs that json_report() wrote, over `suite`, which must outlive them. Reports of these
// are the same as of the original runs, except for the diagnosis, which is left out. Texts are
// already printable. Errors: not JSON, not such a report, one of another suite, or a case that
// differs from the suite's.
Result<std::vector<Report>> read_report(const std::string& text, const Suite& suite);

}  // namespace reshape::conformance
