#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/model/request.h"
#include "reference/tensor/dialect.h"
#include "reference/tensor/ruling.h"

namespace reshape::conformance {

// A group of requests that two documents answer differently for the same cause: the derivations
// part at the same two clauses and end in the same two kinds of answer. Where one derivation ends
// at its clause with a refusal or an open point, only that clause counts.
struct Difference {
  std::string first_clause;   // of the first document, where its derivation parts from the second's
  std::string second_clause;  // of the second document, likewise
  Request first;              // the smallest such request, as the first document writes it
  Request second;             // the same request, as the second document writes it
  Ruling first_answers;
  Ruling second_answers;
  std::uint64_t requests = 0;  // how many requests of the group were asked
};

struct Differences {
  std::vector<Difference> found;    // sorted by the smallest request
  std::uint64_t asked = 0;          // number of requests
  std::vector<std::string> worlds;  // the sets of requests asked, a sentence for each
};

// Compares two documents. Asks all requests within the quick bound of bounded_exhaustive.h
// (`widely` false: within a smaller one), all with a few sizes from 0 to 2^63-1, and a few of each
// element type of data and pattern and of each rank of the pattern tensor. Patterns have a type
// that both documents have; where there is none, each document gets a type of its own. Where both
// documents have a flag, both get the same meaning of it, or neither a flag; where one has, it gets each
// meaning, and none. Two answers are the same if they permit the same outcomes, whatever clause
// they name.
Differences differences(const Dialect& first, const Dialect& second, bool widely);

}  // namespace reshape::conformance
