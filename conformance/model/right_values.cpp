// Describes which elements are wrong by the values that belong there ("where 0 belongs").
#include <algorithm>
#include <optional>

#include "conformance/model/compared_elements.h"
#include "conformance/model/float_form.h"

namespace reshape::conformance {
namespace {

// A class of values that arithmetic may change.
struct Kind {
  const char* says;
  bool (*is)(const FloatForm& form, std::uint64_t value);
};
constexpr Kind kKinds[] = {
    {"where a signalling NaN belongs",
     [](const FloatForm& form, std::uint64_t value) {
       return form.is_nan(value) && (value & form.quiet_bit()) == 0;
     }},
    {"where a NaN belongs",
     [](const FloatForm& form, std::uint64_t value) { return form.is_nan(value); }},
    {"where a denormal number belongs",
     [](const FloatForm& form, std::uint64_t value) { return form.is_denormal(value); }},
    {"where -0 belongs",
     [](const FloatForm& form, std::uint64_t value) { return value == form.sign(); }},
};

}  // namespace

std::vector<ElementFact> facts_about_right_values(const ComparedElements& elements) {
  std::vector<ElementFact> facts;
  const auto add = [&](const char* says, auto is) {
    const bool all = std::ranges::all_of(
        elements.wrong, [&](std::int64_t at) { return is(elements.right_at(at)); });
    if (!all) return;
    std::int64_t there = 0;
    for (std::int64_t at = 0; at < elements.count; ++at) there += is(elements.right_at(at));
    // If few elements with such a value are wrong, the value is not the reason.
    if (there == elements.count || std::ssize(elements.wrong) * 2 < there) return;
    facts.push_back({says, static_cast<double>(there) / static_cast<double>(elements.count)});
  };
  add("where 0 belongs", [](std::uint64_t value) { return value == 0; });
  if (const std::optional<FloatForm> form = float_form(elements.request.data_type)) {
    for (const Kind& kind : kKinds) {
      add(kind.says, [&](std::uint64_t value) { return kind.is(*form, value); });
    }
  }
  return facts;
}

}  // namespace reshape::conformance
