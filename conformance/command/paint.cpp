#include <algorithm>

#include "conformance/command/terminal.h"

namespace reshape::conformance {
namespace {

// From the eight basic colours, which the terminal's theme defines.
constexpr std::string_view kRed = "\x1b[31m";
constexpr std::string_view kBoldRed = "\x1b[1;31m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kBoldGreen = "\x1b[1;32m";
constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kPlain = "\x1b[0m";

// The begin of a line, blanks included, and its colour.
struct Mark {
  std::string_view begin;
  std::string_view colour;
};
constexpr Mark kMarks[] = {
    {"FAIL", kBoldRed},          // run
    {"  RED", kRed},             // a clause that was not asked
    {"  BROKEN", kRed},          // a law
    {"  SURVIVES", kRed},        // a mutant
    {"ok", kGreen},              // doctor
    {"not ok", kRed},            // doctor
    {"differs", kRed},           // verify
    {"verdict   pass", kGreen},  // replay
    {"verdict   fail", kRed},    // replay
};

// The labels of the indented lines below a failure.
constexpr std::size_t kLabelIndent = 6;
constexpr std::string_view kLabels[] = {"asked", "expected", "answered", "output",
                                        "watch", "probe",    "also",     "baseline",
                                        "again", "replay",   "explain",  "alike"};

std::string painted_part(std::string_view line, std::size_t begin, std::size_t size,
                         std::string_view colour) {
  std::string form(line.substr(0, begin));
  form.append(colour).append(line.substr(begin, size)).append(kPlain);
  return form.append(line.substr(begin + size));
}

// Whether `word` stands at `at`, followed by a blank, a colon or the end of the line.
bool has_word_at(std::string_view line, std::size_t at, std::string_view word) {
  if (line.substr(at, word.size()) != word) return false;
  const std::size_t end = at + word.size();
  return end == line.size() || line[end] == ' ' || line[end] == ':';
}

// Colours a line such as "mine 1.0 conforms: ...", where the verdict follows the library's name.
std::string painted_conclusion(std::string_view line) {
  constexpr Mark kConclusions[] = {
      {" does not conform:", kBoldRed}, {" conforms:", kBoldGreen}, {" conforms,", kBoldGreen}};
  for (const Mark& one : kConclusions) {
    const std::size_t at = line.find(one.begin);
    if (at != std::string_view::npos) {
      return painted_part(line, at + 1, one.begin.size() - 2, one.colour);
    }
  }
  return std::string(line);
}

}  // namespace

std::string painted(std::string_view line) {
  const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
  for (const Mark& one : kMarks) {
    if (!has_word_at(line, 0, one.begin)) continue;
    return painted_part(line, blanks, one.begin.size() - blanks, one.colour);
  }
  if (blanks == kLabelIndent) {
    for (const std::string_view label : kLabels) {
      if (has_word_at(line, blanks, label)) return painted_part(line, blanks, label.size(), kDim);
    }
  }
  return blanks == 0 ? painted_conclusion(line) : std::string(line);
}

}  // namespace reshape::conformance
