#include "conformance/detection/known_traits.h"

#include <algorithm>
#include <utility>

namespace reshape::conformance {

const KnownTraits::Of& KnownTraits::of(const Request& request) {
  const auto [known, fresh] = known_.try_emplace(&request);
  Of& of = known->second;
  if (!fresh) return of;
  of.measures = measures_of(request);
  for (Trait& trait : traits_of(request)) {
    const auto [numbered, first] =
        numbers_.try_emplace(trait.says, static_cast<int>(traits_.size()));
    if (first) traits_.push_back(std::move(trait));
    of.traits.push_back(numbered->second);
  }
  std::ranges::sort(of.traits);
  return of;
}

}  // namespace reshape::conformance
