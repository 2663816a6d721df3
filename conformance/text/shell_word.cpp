#include "conformance/text/shell_word.h"

#include "conformance/text/printable.h"

namespace reshape::conformance {

std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-./=:,+@%") == std::string::npos;
  if (plain) return word;
  // Bytes that a terminal would not show as they are, such as a line end, are written in octal.
  if (printable(word) != word) {
    std::string form = "$'";
    for (const char letter : word) {
      const auto byte = static_cast<unsigned char>(letter);
      if (letter == '\'' || letter == '\\') form += '\\';
      if (byte < 0x20 || byte >= 0x7f) {
        form += '\\';
        for (int shift = 6; shift >= 0; shift -= 3) {
          form += static_cast<char>('0' + (byte >> shift & 7));
        }
      } else {
        form += letter;
      }
    }
    return form + "'";
  }
  std::string form = "'";
  for (const char letter : word) form += letter == '\'' ? "'\\''" : std::string(1, letter);
  return form + "'";
}

}  // namespace reshape::conformance
