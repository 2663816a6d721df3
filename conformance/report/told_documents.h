#pragma once

#include <nlohmann/json.hpp>

#include "conformance/report/report.h"

namespace reshape::conformance {

// The documents that some run asked about, by dialect, as the JSON report tells them.
nlohmann::json told_documents(Runs runs);

}  // namespace reshape::conformance
