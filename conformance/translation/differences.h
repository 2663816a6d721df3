#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/model/request.h"
#include "reference/tensor/dialect.h"
#include "reference/tensor/ruling.h"

namespace reshape::conformance {

// Requests that two documents answer differently, for one and the same cause: their derivations part at the
// same two clauses (of one of them alone, where it ends there with a refusal or an open point) and end in the
// same two sorts of answer.
struct Difference {
  std::string first_clause;   // at which the first document's derivation parts from the second's
  std::string second_clause;  // and the second's from the first's
  Request first;              // the smallest such request, in the words of the first document
  Request second;             // and of the second
  Ruling first_answers;
  Ruling second_answers;
  std::uint64_t requests = 0;  // of those that were asked
};

struct Differences {
  std::vector<Difference> found;    // the smallest request first
  std::uint64_t asked = 0;          // requests
  std::vector<std::string> worlds;  // what was asked, a sentence for each part
};

// All requests within the quick bound of bounded_exhaustive.h or, `widely` false, within a smaller one; those of
// a few sizes from 0 to 2^63-1; and, of each element type for data and pattern and of each rank of the pattern
// tensor, a few. Where both documents have a flag, they are asked with the same meaning of it and both without
// it; where one has, with each meaning and without it. Answers are the same when they permit the same,
// whatever clause they name.
Differences differences(const Dialect& first, const Dialect& second, bool widely);

}  // namespace reshape::conformance
