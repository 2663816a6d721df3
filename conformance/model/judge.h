#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"
#include "conformance/model/verdict.h"
#include "reference/tensor/ruling.h"

namespace reshape::conformance {

// What is right for one request: the document's answer, and the elements where a case wrote them
// out.
struct Expectation {
  Ruling ruling;
  std::optional<std::vector<std::uint64_t>> elements;
};

// Why `request` need not be answered by an implementation with these capabilities (dialect, element
// or pattern type, rank, strides, in place not promised), or nothing. A request that must be
// refused for the very type it carries (data.type, pattern.type) is always asked.
std::optional<std::string> why_unsupported(const Request& request, const Expectation& expectation,
                                           const Capabilities& capabilities);

// The part of why_unsupported() about ranks, sizes and counts of elements. A request that must be
// refused has no output, so the pattern's sizes count instead.
std::optional<std::string> why_too_large(const Request& request, const Capabilities& capabilities);

// The only comparison in the project, and a pure function: compares an outcome with the
// expectation, plane by plane. The bytes are right when every executed probe holds, at each
// row-major position, the payload's bits.
Verdict judge(const Request& request, const Expectation& expectation,
              const Capabilities& capabilities, const Outcome& outcome);

}  // namespace reshape::conformance
