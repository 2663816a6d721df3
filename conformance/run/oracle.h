#pragma once

#include <string>

#include "conformance/model/clause.h"
#include "conformance/model/judge.h"
#include "reference/resolve.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// What the document of the request's dialect answers, by the reference's rules. Error: the suite
// has no such dialect. `derivation` may be null.
Result<Expectation> oracle(const Suite& suite, const Request& request,
                           reference::Derivation* derivation = nullptr);

// The last step on the way to the document's answer, in words: "10 elements asked, 6 given".
// Empty where the suite does not have the dialect.
std::string last_step(const Suite& suite, const Request& request);

}  // namespace reshape::conformance
