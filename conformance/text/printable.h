#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reshape::conformance {

// The one way to print text from elsewhere: an implementation's messages and names, ids, paths,
// words of a file. Control bytes and invalid UTF-8 become "\x1b" and the like, a line end "\n"; C1
// controls, and characters that are invisible or change the direction of text, become "\u202e" and
// the like. What CI services take for a command ("::stop-commands::x" at the start of a line) gets
// "\x3a" for its first byte. A result longer than `most` bytes is cut and ends in "...".
std::string printable(std::string_view text, std::size_t most = std::string_view::npos);

// The same of lines of our own, whose line ends, tabs and commands stay as they are.
std::string printable_lines(std::string_view text);

// The `most` for a library's words within a sentence.
constexpr std::size_t kBriefly = 200;

// Whether the text is empty or blanks only.
inline bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace reshape::conformance
