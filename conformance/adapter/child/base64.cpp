#include "conformance/adapter/child/base64.h"

#include <array>
#include <cstdint>

#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 64;

constexpr std::array<std::uint8_t, 256> digits() {
  std::array<std::uint8_t, 256> table{};
  table.fill(kNoDigit);
  for (std::uint8_t digit = 0; digit < 64; ++digit) {
    table[static_cast<std::uint8_t>(kAlphabet[digit])] = digit;
  }
  return table;
}
constexpr std::array<std::uint8_t, 256> kDigits = digits();

// Three bytes as four digits, the first byte in the highest of 24 bits.
void append_digits(std::uint32_t group, std::string& text) {
  for (int shift = 18; shift >= 0; shift -= 6) text += kAlphabet[group >> shift & 63];
}

}  // namespace

std::string base64(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  const auto at = [&](std::size_t index) {
    return index < bytes.size() ? std::to_integer<std::uint32_t>(bytes[index]) : 0;
  };
  for (std::size_t index = 0; index < bytes.size(); index += 3) {
    append_digits(at(index) << 16 | at(index + 1) << 8 | at(index + 2), text);
  }
  const std::size_t left = bytes.size() % 3;
  for (std::size_t place = left == 0 ? 3 : left; place < 3; ++place) {
    text[text.size() - 3 + place] = '=';
  }
  return text;
}

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t index = 0; index < text.size(); index += 4) {
    const std::size_t filled = index + 4 == text.size() ? 4 - padding : 4;
    std::uint32_t group = 0;
    for (std::size_t place = 0; place < 4; ++place) {
      const std::uint8_t digit =
          place < filled ? kDigits[static_cast<std::uint8_t>(text[index + place])] : 0;
      if (digit == kNoDigit) return std::nullopt;
      group = group << 6 | digit;
    }
    const std::size_t whole = filled - 1;  // bytes
    if ((group & ((1u << (8 * (3 - whole))) - 1)) != 0) return std::nullopt;
    for (std::size_t byte = 0; byte < whole; ++byte) {
      bytes.push_back(static_cast<std::byte>(group >> (16 - 8 * byte) & 0xff));
    }
  }
  return bytes;
}

std::string why_no_base64(std::string_view text) {
  const std::size_t last = text.find_last_not_of('=');
  const std::size_t digits = last == std::string_view::npos ? 0 : last + 1;
  for (std::size_t index = 0; index < digits; ++index) {
    if (kDigits[static_cast<std::uint8_t>(text[index])] != kNoDigit) continue;
    const char letter = text[index];
    std::string why =
        "its character " + std::to_string(index + 1) + " is " +
        (letter == '\n' || letter == '\r' ? "a line end"
                                          : "'" + printable(text.substr(index, 1)) + "'");
    if (letter == '-' || letter == '_') why += ", of the alphabet for URLs";
    return why;
  }
  if (const std::size_t padding = (4 - digits % 4) % 4; text.size() - digits != padding) {
    return "its " + std::to_string(digits) + " digits take " + std::to_string(padding) +
           " '=' as padding, and it has " + std::to_string(text.size() - digits);
  }
  return "it has bits beyond its last byte";
}

}  // namespace reshape::conformance
