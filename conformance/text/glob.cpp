#include "conformance/text/glob.h"

#include <fnmatch.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace reshape::conformance {
namespace {

// The length of the [..] at the start of `text`; 0: it is an ordinary character.
std::size_t bracket_of(std::string_view text) {
  constexpr std::size_t kLongest = 256;
  text = text.substr(0, kLongest);
  std::size_t at = 1;
  if (at < text.size() && (text[at] == '!' || text[at] == '^')) ++at;
  for (bool first = true; at < text.size(); first = false) {
    if (text[at] == ']' && !first) return at + 1;
    // [:alpha:], [.x.] and [=x=] hold brackets of their own.
    const bool is_inner = text[at] == '[' && at + 1 < text.size() &&
                          std::string_view(":.=").find(text[at + 1]) != std::string_view::npos;
    const std::size_t end =
        is_inner ? text.find(std::string{text[at + 1], ']'}, at + 2) : std::string_view::npos;
    at = end == std::string_view::npos ? at + 1 : end + 2;
  }
  return 0;
}

// The part at the start of a glob that fits one character.
std::string_view element_of(std::string_view glob) {
  const std::size_t bracket = glob.starts_with('[') ? bracket_of(glob) : 0;
  return glob.substr(0, std::max<std::size_t>(bracket, 1));
}

bool fits(std::string_view element, char letter) {
  if (element.size() <= 1) return element == "?" || element == std::string_view(&letter, 1);
  const char text[] = {letter, '\0'};
  return fnmatch(std::string(element).c_str(), text, FNM_NOESCAPE) == 0;
}

}  // namespace

bool matches(const std::string& whole, const std::string& text) {
  const std::string_view glob = whole;
  std::size_t at = 0, letter = 0;
  // Behind the last star, and where in the text what it stands for ends. Stars before it need not be
  // tried again, so that the time is bounded by the product of both lengths.
  std::size_t behind_star = 0, end_of_star = 0;
  while (letter < text.size()) {
    if (glob.substr(at).starts_with('*')) {
      behind_star = ++at;
      end_of_star = letter;
      continue;
    }
    const std::string_view element = element_of(glob.substr(at));
    if (fits(element, text[letter])) {
      at += element.size();
      ++letter;
    } else if (behind_star > 0) {
      at = behind_star;
      letter = ++end_of_star;
    } else {
      return false;
    }
  }
  return glob.find_first_not_of('*', at) == std::string_view::npos;
}

}  // namespace reshape::conformance
