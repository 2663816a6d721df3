#pragma once

#include <compare>
#include <string>

#include "conformance/abi/duty.h"
#include "conformance/run/result.h"

namespace reshape::conformance {

// The sentence of one of them: a view that has to be made is not.
inline constexpr const char* kMakesNoView = "a view of dense data is called unsupported";

// What one failure is about: a clause of the document or none, the duty that it breaks, and what is
// wrong in a sentence.
struct Subject {
  std::string clause;
  Duty duty = Duty::none;
  std::string says;
  friend auto operator<=>(const Subject&, const Subject&) = default;
};

// Determined from the failure's verdict alone. Precondition: it has a fault. findings.h says which
// of several faults decides.
Subject subject_of(const CaseResult& failure);

}  // namespace reshape::conformance
