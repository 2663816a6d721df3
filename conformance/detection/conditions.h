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
  // Which of `where` a request has, in their order.
  std::function<std::vector<bool>(const Request&)> each = {};
};

// The `hold` of conditions with this `each`.
std::function<bool(const Request&)> all_hold(std::function<std::vector<bool>(const Request&)> each);

// Finds few conditions that exclude most of `passes`. Adds conditions while each excludes so many
// that the failures would not all meet it by coincidence. Empty where too many passing requests
// meet all of them.
Conditions conditions_of(std::span<const Request* const> failures,
                         std::span<const Request* const> passes, KnownTraits& known);

// What most failing requests have, and few passing ones, where nearly all of them have nothing in
// common.
struct Tendency {
  std::string says;                      // empty: nothing was found
  std::size_t failures = 0, passes = 0;  // that have it
};
Tendency tendency_of(std::span<const Request* const> failures,
                     std::span<const Request* const> passes, KnownTraits& known);

// The number of families: requests that differ only in their types are as much evidence as one.
std::size_t families_of(std::span<const Request* const> failures);

}  // namespace reshape::conformance
