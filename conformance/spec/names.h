#pragma once

#include <string>
#include <string_view>

namespace reshape::conformance {

// What is a name here, of a dialect, of a case or of a file of regressions: it is a part of ids, of
// request lines, of file names and of words for a shell, and must be readable in all of them. No
// file whose name begins with a dot is read, and a word that begins with - is taken for an option.
inline bool is_name(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789_.-";
  constexpr std::string_view kNeverFirst = "_.-";
  return !text.empty() && text.find_first_not_of(kLetters) == std::string_view::npos &&
         kNeverFirst.find(text.front()) == std::string_view::npos;
}

// Why `text` is none. `what` is to be named: "a dialect".
inline std::string no_name(const std::string& what, const std::string& text) {
  return what +
         " is written with a-z, 0-9, _, . and -, and begins with a letter or a digit, not \"" +
         text + '"';
}

}  // namespace reshape::conformance
