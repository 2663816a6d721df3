#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reshape::conformance {

// RFC 4648, section 4: the alphabet with + and /, and padding with =.
std::string base64(std::span<const std::byte> bytes);

// The inverse. Accepts only what base64() produces: no line ends, no missing padding, no bits
// beyond the last byte. Nothing for any other text.
std::optional<std::vector<std::byte>> from_base64(std::string_view text);
// Where and why from_base64() accepts no such text.
std::string why_no_base64(std::string_view text);

}  // namespace reshape::conformance
