#pragma once

#include <string>
#include <vector>

#include "conformance/model/clause.h"

namespace reshape::conformance {

// Data and output of a case that is executed take at most this many bytes each; larger ones are for
// shape_only=true, so that the suite runs anywhere.
inline constexpr std::int64_t kMostBytes = std::int64_t{160} << 20;
// Up to kMostFarApart elements may span kMostSpan bytes instead, to test positions beyond 32 bits.
inline constexpr std::int64_t kMostFarApart = 64;
inline constexpr std::int64_t kMostSpan = std::int64_t{8} << 30;

// What is wrong with a case of `document`, a sentence each: clauses that the document does not
// have, an answer whose clause the case does not name, requests that could not be executed or
// judged.
std::vector<std::string> problems_of(const Case& one, const Document& document);

}  // namespace reshape::conformance
