#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

// What laws ask of answers: whether one is a shape, what its elements are, in what two differ.
namespace reshape::conformance::laws {

// The answer was a shape, and every execution went well.
bool produced(const Outcome& outcome);
// Why a law about bytes, or about strides of the data, need not be asked; nothing: it may be.
std::optional<std::string> without_execute(const Capabilities& capabilities);
std::optional<std::string> without_strides(const Capabilities& capabilities);

// The number of elements is small enough for them to be written into a request.
bool writable(const Request& request);

// The elements as the first execution gave them, one by one; nothing when there was none.
std::optional<std::vector<std::uint64_t>> elements_of(const Outcome& outcome, ElementType type);

// In what the two answers to the same request differ, or nothing: the kind of answer, the shape, the
// status of each execution, the elements.
std::optional<std::string> difference(const Outcome& before, const Outcome& after);

// The values of the pattern: "[3,-1]".
std::string text_of_pattern(const Request& request);

}  // namespace reshape::conformance::laws
