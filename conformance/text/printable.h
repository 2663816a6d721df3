#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reshape::conformance {

// The one way to print what others wrote: messages and names of an implementation, ids, paths, words of
// a file. Control bytes and broken UTF-8 become \x1b, a line end \n; controls of the second table and
// what turns the direction of text round or cannot be seen becomes \u202e. What is then longer than `most`
// bytes is cut and ends in "...".
std::string printable(std::string_view text, std::size_t most = std::string_view::npos);

// What a library said or left, made fit for a sentence.
constexpr std::size_t kBriefly = 200;

// Says nothing: a name of blanks is none.
inline bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace reshape::conformance
