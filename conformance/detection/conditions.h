#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "conformance/detection/known_traits.h"

namespace reshape::conformance {

// What failing requests have in common that few passing ones have.
struct Conditions {
  std::vector<std::string> where;  // empty: nothing was found
  std::size_t failures_there = 0;  // that have all of these: all, or of many all but one in twenty
  std::size_t passes_there = 0;    // passing ones that have them, too
  // Whether any request has all of these, one of neither group too. Empty where nothing was found.
  std::function<bool(const Request&)> hold = {};
};

// The fewest words that leave the fewest of `passes`: conditions are added while each leaves out so many
// that so many failures would not all have it by chance. Nothing where passing requests that have them all
// are many beside the failures: then they are not what is wrong.
Conditions conditions_of(std::span<const Request* const> failures,
                         std::span<const Request* const> passes, KnownTraits& known);

}  // namespace reshape::conformance
