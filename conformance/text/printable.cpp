#include "conformance/text/printable.h"

#include <algorithm>

#include "conformance/files/utf8.h"

namespace reshape::conformance {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

bool is_control(char32_t code) { return code < 0x20 || code == 0x7f; }

bool deceives(char32_t code) {
  return (code >= 0x80 && code <= 0x9f) ||      // controls of terminals
         code == 0x061c || code == 0xfeff ||    // marks of direction and of byte order
         (code >= 0x200b && code <= 0x200f) ||  // of no width, and marks of direction
         (code >= 0x2028 && code <= 0x202e) ||  // ends of lines, embeddings, overrides
         (code >= 0x2060 && code <= 0x206f) ||  // of no width, isolates
         code == 0xfffe || code == 0xffff;      // no characters: XML does not admit them
}

std::string shown_byte(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 0xf]};
}

std::string shown(const Character& character, std::string_view text) {
  if (character.bytes == 1 && text[0] == '\n') return "\\n";
  if (character.bytes == 0 || is_control(character.code)) return shown_byte(text[0]);
  if (!deceives(character.code)) return std::string(text.substr(0, character.bytes));
  std::string form = "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) form += kDigits[character.code >> shift & 0xf];
  return form;
}

// At which CI services look for a command: "::" with only blanks before it, or "##[" and
// "##vso[" anywhere.
bool begins_command(std::string_view text, bool only_blanks_before) {
  if (only_blanks_before && text.starts_with("::")) return true;
  if (!text.starts_with("##")) return false;
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz", 2);
  return end != std::string_view::npos && text[end] == '[';
}

bool is_space(char32_t code) {
  return code == ' ' || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
         code == 0x202f || code == 0x205f || code == 0x3000;
}

enum class Commands : bool { kept, shown };

std::string all_shown(std::string_view text, std::size_t most, Commands commands) {
  std::string made;
  bool only_blanks = true;
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool is_command = commands == Commands::shown && begins_command(text, only_blanks);
    const std::string form = is_command ? shown_byte(text.front()) : shown(character, text);
    only_blanks &= is_space(character.code);
    if (most != std::string_view::npos && made.size() + form.size() > most) return made + "...";
    made += form;
    text.remove_prefix(character.bytes == 0 ? 1 : character.bytes);
  }
  return made;
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  return all_shown(text, most, Commands::shown);
}

std::string printable_lines(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\n\t"), text.size());
    made += all_shown(text.substr(0, end), std::string_view::npos, Commands::kept);
    if (end < text.size()) made += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return made;
}

}  // namespace reshape::conformance
