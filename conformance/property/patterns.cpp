#include "conformance/property/patterns.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "reference/tensor/zero_copies.h"

namespace reshape::conformance {

void write_pattern(const Dialect& dialect, const Shape& output, Request& request, Choices& choices,
                   std::optional<std::size_t> inferred) {
  bool copies = dialect.zero == ZeroRule::copies;
  if (dialect.zero == ZeroRule::by_flag) {
    copies = choices.chance(60);
    request.special_zero = copies;
    // Callers usually leave the flag out where it would have its default value.
    const bool required = dialect.flag_missing == MissingFlag::rejects;
    if (!required && zero_copies(dialect, std::nullopt) == copies && choices.chance(50)) {
      request.special_zero.reset();
    }
  }
  std::vector<PatternValue>& values = request.pattern.values;
  values.assign(output.begin(), output.end());
  bool nothing_known = false;
  for (std::size_t at = 0; at < values.size(); ++at) {
    const bool agrees = at < request.data.rank() && request.data[at] == output[at];
    if (copies && agrees && (output[at] == 0 || choices.chance(50))) values[at] = 0;
    nothing_known = nothing_known || output[at] == 0;
  }
  if (values.empty() || dialect.minus_one == MinusOne::rejects) return;
  if (!inferred && choices.chance(45)) return;
  const auto at = inferred.value_or(static_cast<std::size_t>(choices.below(values.size())));
  // A -1 can be inferred where the product of the other sizes is above 0.
  const bool alone = std::count(output.begin(), output.end(), 0) == 1 && output[at] == 0;
  if (!nothing_known || alone) values[at] = -1;
}

ElementType preferred_type(ElementTypes types, std::initializer_list<ElementType> wanted,
                           ElementType otherwise) {
  for (const ElementType type : wanted) {
    if (types.contains(type)) return type;
  }
  return types.empty() ? otherwise : *types.begin();
}

std::optional<ElementType> draw_type(ElementTypes types, Choices& choices) {
  if (types.empty()) return std::nullopt;
  return choices.one_of(std::vector<ElementType>(types.begin(), types.end()));
}

void choose_pattern_type(ElementTypes types, Request& request, Choices& choices) {
  std::vector<ElementType> holding;
  for (const ElementType type : types& ElementTypes::integers()) {
    if (holds(type, request.pattern)) holding.push_back(type);
  }
  if (holding.empty()) {
    request.pattern.type = ElementType::i64;
    return;
  }
  const auto narrower = [](ElementType left, ElementType right) {
    return bits(left) < bits(right);
  };
  request.pattern.type = choices.chance(10)
                             ? *std::min_element(holding.begin(), holding.end(), narrower)
                             : choices.one_of(holding);
}

}  // namespace reshape::conformance
