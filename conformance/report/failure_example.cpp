#include "conformance/report/failure_example.h"

#include <charconv>
#include <string_view>

#include "conformance/run/oracle.h"

namespace reshape::conformance {
namespace {

// The number at the beginning of `text`, which is moved behind it.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// Parses an outcome in the words of text(Outcome): "produced [2,5]".
std::optional<Shape> produced_shape(std::string_view answered) {
  if (!take(answered, "produced [")) return std::nullopt;
  Shape shape;
  while (!take(answered, "]")) {
    const std::optional<std::int64_t> size = take_number(answered);
    if (!size) return std::nullopt;
    shape.append(*size);
    take(answered, ",");
  }
  return shape;
}

// Parses the words of Difference: "element 4 [1,1] is 0x40800000".
std::optional<std::int64_t> first_wrong_element(const Verdict& verdict) {
  for (const Fault& fault : verdict.faults) {
    std::string_view words = fault.expected;
    if (fault.watch == CaughtBy::bytes && take(words, "element ")) return take_number(words);
  }
  return std::nullopt;
}

}  // namespace

FailureExample example_of(const RunResult& run, const CaseResult& result) {
  FailureExample example;
  const Case& asked = *result.asked;
  // The derivation stays empty if the suite does not have the document.
  if (run.suite) static_cast<void>(oracle(*run.suite, asked.request, &example.derivation));
  example.data = asked.request.data;
  if (asked.expect.kind == Ruling::Kind::produces) example.expected = asked.expect.shape;
  example.answered = produced_shape(result.answered);
  example.element = first_wrong_element(result.verdict);
  return example;
}

}  // namespace reshape::conformance
