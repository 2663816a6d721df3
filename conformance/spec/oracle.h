#pragma once

#include "conformance/model/clause.h"
#include "conformance/model/request.h"
#include "reference/resolve.h"

namespace reshape::conformance {

// What the document answers to a request, as the reference reads its rules. The derivation may be
// null.
Ruling oracle(const Dialect& dialect, const Request& request,
              reference::Derivation* derivation = nullptr);

// The dialects of a suite by name, for messages: "a, b and c".
std::string known_dialects(const Suite& suite);

}  // namespace reshape::conformance
