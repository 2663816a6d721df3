#pragma once

#include <string>

namespace reshape::conformance {

// True when `glob` (with * and ?, and [..]) fits the whole of `text`. The time is bounded by the
// product of both lengths.
bool matches(const std::string& glob, const std::string& text);

}  // namespace reshape::conformance
