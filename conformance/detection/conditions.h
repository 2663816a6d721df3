#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "conformance/run/result.h"

namespace reshape::conformance {

// What failures have in common that few passing cases have.
struct Conditions {
  std::vector<std::string> where;  // empty: nothing was found
  std::size_t failures_there = 0;  // that have all of these: all, or of many all but one in twenty
  std::size_t passes_there = 0;    // passing cases that have them, too
};

// The fewest words that leave the fewest of `passes`: conditions are added while each leaves out so many
// that so many failures would not all have it by chance. Nothing where passing cases that have them all
// are many beside the failures: then they are not what is wrong.
Conditions conditions_of(std::span<const CaseResult* const> failures,
                         std::span<const CaseResult* const> passes);

}  // namespace reshape::conformance
