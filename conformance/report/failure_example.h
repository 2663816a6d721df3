#pragma once

#include <cstdint>
#include <optional>

#include "conformance/run/result.h"
#include "reference/resolve.h"
#include "reference/tensor/shape.h"

namespace reshape::conformance {

// A failure with what is needed to explain and draw it.
struct FailureExample {
  reference::Derivation derivation;  // how the document comes to the right answer
  Shape data;
  std::optional<Shape> expected;        // where one shape is right
  std::optional<Shape> answered;        // where one was produced
  std::optional<std::int64_t> element;  // the first wrong one of the output, in row-major order
};
FailureExample example_of(const RunResult& run, const CaseResult& result);

}  // namespace reshape::conformance
