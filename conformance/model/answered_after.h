#pragma once

#include <string>

namespace reshape::conformance {

// What is told, before its line, of a request that was inferred between two inferences of another
// one, which were answered otherwise.
inline const std::string kAfterAnother = " after this was inferred in between: ";

}  // namespace reshape::conformance
