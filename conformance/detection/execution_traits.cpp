#include "conformance/detection/execution_traits.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

namespace reshape::conformance {
namespace {

constexpr std::size_t kFewFailures = 3;

using Failures = std::span<const CaseResult* const>;

// Of a type of floats: how many bits the fraction has. Nothing for f8e4m3, which has no infinity, and another NaN.
std::optional<int> fraction_bits(ElementType type) {
  switch (type) {
    case ElementType::f64: return 52;
    case ElementType::f32: return 23;
    case ElementType::f16: return 10;
    case ElementType::bf16: return 7;
    case ElementType::f8e5m2: return 2;
    default: return std::nullopt;
  }
}

// What a float is, where it is one that arithmetic may change: "a NaN". Empty for others.
const char* kind_of_float(ElementType type, std::uint64_t value) {
  const std::optional<int> fraction_width = fraction_bits(type);
  if (!fraction_width) return "";
  const std::uint64_t fraction = value & ((std::uint64_t{1} << *fraction_width) - 1);
  const std::uint64_t exponent =
      value >> *fraction_width & ((std::uint64_t{1} << (bits(type) - 1 - *fraction_width)) - 1);
  const bool negative = value >> (bits(type) - 1) != 0;
  const bool all_ones = exponent == (std::uint64_t{1} << (bits(type) - 1 - *fraction_width)) - 1;
  if (all_ones && fraction != 0) {
    const bool quiet = fraction >> (*fraction_width - 1) != 0;
    return quiet ? "a NaN" : "a signalling NaN";
  }
  if (exponent == 0 && fraction != 0) return "a denormal number";
  return exponent == 0 && negative ? "-0" : "";
}

// The value that the first wrong element should have, told in the words of Difference: "element 3 is 0x7f800001".
std::optional<std::uint64_t> right_value(const Fault& fault) {
  constexpr std::string_view kIs = " is 0x";
  const std::size_t at = fault.expected.rfind(kIs);
  if (fault.watch != CaughtBy::bytes || at == std::string::npos) return std::nullopt;
  std::uint64_t value = 0;
  const char* end = fault.expected.data() + fault.expected.size();
  const auto read = std::from_chars(fault.expected.data() + at + kIs.size(), end, value, 16);
  return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

std::string value_in_common(Failures failures) {
  std::set<std::string> kinds;
  for (const CaseResult* one : failures) {
    const std::optional<std::uint64_t> value = right_value(one->verdict.faults.front());
    kinds.insert(value ? kind_of_float(one->asked->request.data_type, *value) : "");
  }
  if (kinds == std::set<std::string>{"a NaN", "a signalling NaN"}) kinds = {"a NaN"};
  return kinds.size() == 1 ? *kinds.begin() : "";
}

std::set<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

std::string set_up_in_common(Failures failures) {
  std::set<std::string> probes, common;
  for (const CaseResult* one : failures) {
    const std::string& probe = one->verdict.faults.front().probe;
    std::set<std::string> words = words_of(probe);
    // How it was called may be what the duty is about, and the payload the request's own.
    const Duty duty = one->verdict.faults.front().duty;
    const bool of_a_call = duty == Duty::C12 || duty == Duty::C13 || duty == Duty::C20 ||
                           duty == Duty::C21 || one->asked->request.in_place;
    std::erase_if(words, [&](const std::string& word) {
      const bool own = one->asked->request.payload && word.starts_with("payload=");
      return own || (of_a_call && word.starts_with("ask=")) || word.starts_with("shift=") ||
             word.starts_with("poison=");
    });
    // Strides and an offset of its own are written out in every execution.
    const Request& request = one->asked->request;
    if (request.strides) words.insert("strides=explicit");
    if (request.offset != 0) words.insert("byte_offset=used");
    if (probes.empty()) common = words;
    std::erase_if(common, [&](const std::string& word) { return !words.contains(word); });
    probes.insert(probe);
  }
  for (const char* first : {"payload=distinct", "placement=odd", "strides=null"}) {
    common.erase(first);
  }
  // Set up alike each time, what they share is chance, but for what was asked.
  if (probes.size() < 2) {
    std::erase_if(common, [](const std::string& word) { return !word.starts_with("ask="); });
  }
  std::string all;
  for (const std::string& word : common) all += (all.empty() ? "" : " ") + word;
  return all;
}

}  // namespace

std::string executions_in_common(Failures failures) {
  const bool all_executed = std::ranges::all_of(failures, [](const CaseResult* one) {
    return one->verdict.faults.front().probe.find('=') != std::string::npos;
  });
  if (failures.size() < kFewFailures || !all_executed) return "";
  if (const std::string value = value_in_common(failures); !value.empty()) {
    return ", where " + value + " belongs";
  }
  const std::string set_up = set_up_in_common(failures);
  return set_up.empty() ? "" : ", first seen with " + set_up;
}

}  // namespace reshape::conformance
