#pragma once

#include <vector>

#include "conformance/model/outcome.h"

namespace reshape::conformance {

// Whether both saw the same, in any order and without what varies by request or by call (numbers,
// addresses, bytes): the same watches, the same end of the same buffer overrun, the same argument
// or setting of the process changed, and memory growing by about as many bytes. Of an answer that
// changes: what was answered then, and when. Then two implementations may have made the same
// mistake with one request.
bool saw_the_same(const std::vector<Observation>& one, const std::vector<Observation>& other);

}  // namespace reshape::conformance
