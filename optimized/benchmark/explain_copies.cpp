// Says how copies are made: reads a line for each, "type|sizes|strides|offset|output sizes|output
// strides" with numbers between commas and - for dense strides, and prints a line with the kernel
// and why it was chosen. Exit code 2: a line that is not of that form, or no copy.
#include <charconv>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "optimized/axes.h"
#include "optimized/execute.h"
#include "optimized/plan.h"

namespace reshape::optimized {
namespace {

using Numbers = std::vector<std::int64_t>;

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; end != std::string_view::npos; text.remove_prefix(end + 1)) {
    end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
  }
  return parts;
}

std::optional<Numbers> numbers(std::string_view text) {
  Numbers found;
  for (const std::string_view part : split(text, ',')) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size()) return std::nullopt;
    found.push_back(value);
  }
  return found;
}

// Given strides, or the dense ones where there are none.
std::optional<Numbers> strides_of(std::string_view text, const Numbers& sizes) {
  if (text != "-") return numbers(text);
  Numbers dense(sizes.size());
  if (!row_major_strides(sizes, dense)) return std::nullopt;
  return dense;
}

Result<std::string> explained(std::string_view line) {
  const std::vector<std::string_view> fields = split(line, '|');
  const Error malformed{"not type|sizes|strides|offset|output|strides: " + std::string(line)};
  if (fields.size() != 6) return malformed;
  const std::optional<ElementType> type = element_type_named(fields[0]);
  const std::optional<Numbers> sizes = numbers(fields[1]), output = numbers(fields[4]);
  const std::optional<Numbers> offset = numbers(fields[3]);
  if (!type || !sizes || !output || !offset) return malformed;
  const std::optional<Numbers> strides = strides_of(fields[2], *sizes);
  const std::optional<Numbers> output_strides = strides_of(fields[5], *output);
  if (!strides || !output_strides) return malformed;
  const Result<CopyPlan> plan = plan_copy(*type, LayoutView(*sizes, *strides, offset->front()),
                                          LayoutView(*output, *output_strides, 0));
  if (!plan) return plan.error();
  return explanation(*plan);
}

}  // namespace
}  // namespace reshape::optimized

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto said = reshape::optimized::explained(line);
    if (!said) {
      std::cerr << "explain_copies: " << said.error().message << '\n';
      return 2;
    }
    std::cout << *said << '\n';
  }
  return 0;
}
