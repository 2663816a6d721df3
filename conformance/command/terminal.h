#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

namespace reshape::conformance {

// A terminal where a line can be overwritten, where main() has found one. It is separate from the
// console's streams, which escape control bytes.
void set_progress_stream(std::ostream& terminal);

// Shows a line there in place of the one before it; an empty one wipes it.
void show_progress(const std::string& line);

// Whether output to `descriptor` is coloured. The first of these that applies decides: NO_COLOR is
// set and not empty: no; CLICOLOR_FORCE is set and neither empty nor 0: yes; CLICOLOR is 0: no;
// else: whether it is a terminal that is not dumb.
bool wants_colour(int descriptor);

// Adds terminal colours to one line (without its line end) of a command's output: failures and
// verdicts, recognized by the first word, the labels below a failure, and the conclusion of a run.
// Returns any other line unchanged. Reports themselves are written without colours.
std::string painted(std::string_view line);

// The width of the terminal at `descriptor` in columns; `without` where that is not known.
std::size_t columns_of(int descriptor, std::size_t without);

}  // namespace reshape::conformance
