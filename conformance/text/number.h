#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace reshape::conformance {

// The number that the whole of `text` is. Nothing where it is none, or too large for the type.
template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

}  // namespace reshape::conformance
