#pragma once

#include "conformance/model/request.h"
#include "reference/tensor/ruling.h"

namespace reshape::fuzz {

// Counts the features of this input as if they were covered code: which clause of which document
// gave which kind of answer, which rules the pattern uses, which type and layout occur at which
// rank. So the corpus covers the documents even if the implementation under test was built without
// instrumentation.
void count_clause(const conformance::Request& request, const Ruling& ruling);

}  // namespace reshape::fuzz
