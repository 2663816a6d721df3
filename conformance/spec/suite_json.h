#pragma once

#include <span>
#include <string>

#include "conformance/model/clause.h"
#include "conformance/spec/trace.h"

namespace reshape::conformance {

// JSON texts of what `list` and `trace` show, for programs.
std::string json_of_cases(const Suite& suite, std::span<const Case* const> cases);
std::string json_of_trace(const Suite& suite, const Trace& trace);

}  // namespace reshape::conformance
