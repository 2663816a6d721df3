#pragma once

#include <string>
#include <vector>

#include "reference/tensor/dialect.h"
#include "reference/tensor/ruling.h"

namespace reshape::conformance {

// The class of answer that a generated request is built for: produces, rejects by one clause, or
// unspecified at one clause.
struct Aim {
  Ruling::Kind kind = Ruling::Kind::produces;
  std::string clause;  // empty for produces
  friend bool operator==(const Aim&, const Aim&) = default;
};

std::string text(const Aim& aim);  // "produces", "rejects minus-one.once"
Aim aim_of(const Ruling& ruling);

// Every class that requests of this dialect can fall into, in the order of the rules.
std::vector<Aim> aims_of(const Dialect& dialect);

}  // namespace reshape::conformance
