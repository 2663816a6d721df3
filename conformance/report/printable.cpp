#include "conformance/report/report.h"

namespace reshape::conformance {
namespace {

// Bytes of the well-formed UTF-8 sequence that starts at `at`, or 0.
std::size_t sequence_at(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t index) {
    return index < text.size() ? static_cast<unsigned char>(text[index]) : 0u;
  };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xc2 && first <= 0xdf   ? 2
                             : (first & 0xf0) == 0xe0         ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
  for (std::size_t index = 1; index < length; ++index) {
    if ((byte(at + index) & 0xc0) != 0x80) return 0;
  }
  const unsigned second = byte(at + 1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0;
  const bool too_large = first == 0xf4 && second >= 0x90;
  // U+FFFE and U+FFFF, which XML does not admit.
  const bool no_character = first == 0xef && second == 0xbf && byte(at + 2) >= 0xbe;
  return overlong || surrogate || too_large || no_character ? 0 : length;
}

}  // namespace

std::string printable(const std::string& text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t length = sequence_at(text, at);
    if (byte == '\n') {
      shown += "\\n";
      ++at;
    } else if (length == 0 || byte < 0x20 || byte == 0x7f) {
      shown += "\\x";
      shown += kDigits[byte >> 4];
      shown += kDigits[byte & 0xf];
      ++at;
    } else {
      shown.append(text, at, length);
      at += length;
    }
  }
  return shown;
}

}  // namespace reshape::conformance
