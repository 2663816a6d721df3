#pragma once

#include "conformance/model/request.h"
#include "reference/tensor/ruling.h"

namespace reshape::fuzz {

// Tells the fuzzer what this input means in the words of the documents, as if it were code that was
// reached: which clause of which document was answered how, which rules the pattern used, which type
// and layout were met at which rank. A corpus then grows along the documents, also where the
// implementation under test was built without instrumentation.
void count_clause(const conformance::Request& request, const Ruling& ruling);

}  // namespace reshape::fuzz
