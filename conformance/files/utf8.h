#pragma once

#include <cstddef>
#include <string_view>

namespace reshape::conformance {

struct Character {
  std::size_t bytes = 0;  // 0: not well-formed UTF-8
  char32_t code = 0;
};

// The first character of a text that is not empty. No longer forms than there are, no halves of
// surrogate pairs, and nothing behind the last code point, U+10FFFF.
inline Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t bytes = lead >= 0xc2 && lead <= 0xdf   ? 2
                            : (lead & 0xf0) == 0xe0        ? 3
                            : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                           : 0;
  char32_t code = bytes == 0 ? 0 : lead & (0xffu >> (bytes + 1));
  for (std::size_t at = 1; at < bytes; ++at) {
    if ((byte(at) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(at) & 0x3f);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (overlong || surrogate || code > 0x10ffff) return {};
  return {bytes, code};
}

}  // namespace reshape::conformance
