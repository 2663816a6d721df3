#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

// What laws need of outcomes: whether one is a shape, its elements, and how two of them differ.
namespace reshape::conformance::laws {

// Whether the answer was a shape and every execution succeeded.
bool produced(const Outcome& outcome);
// The reason to skip a law about bytes, or about strides of the data; nothing: it can be checked.
std::optional<std::string> without_execute(const Capabilities& capabilities);
std::optional<std::string> without_strides(const Capabilities& capabilities);
// The same of a law that asks from other threads, or calls without asking again.
std::optional<std::string> without_threads(const Capabilities& capabilities);
// The same of one that asks for what is not declared, and of one about views.
std::optional<std::string> without_contract(const Capabilities& capabilities);
std::optional<std::string> without_views(const Capabilities& capabilities);
// The request with one payload, unless it says its own or its elements: so that answers can be compared.
Request with_one_payload(Request request);

// The number of elements is small enough for them to be written into a request.
bool writable(const Request& request);

// The elements as the first execution gave them, one by one; nothing when there was none.
std::optional<std::vector<std::uint64_t>> elements_of(const Outcome& outcome, ElementType type);

// How two outcomes of the same request differ, or nothing: in the kind of answer, the shape, the
// status of an execution, or the elements.
std::optional<std::string> difference(const Outcome& before, const Outcome& after);

// What an outcome that breaks a law says: its message, or else what kind of outcome it is.
std::string told_by(const Outcome& outcome);

// The values of the pattern: "[3,-1]".
std::string text_of_pattern(const Request& request);

}  // namespace reshape::conformance::laws
