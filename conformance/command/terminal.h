#pragma once

#include <cstddef>
#include <iosfwd>

namespace reshape::conformance {

// Where a line may be written over and over, past the console's streams, which let no control byte
// through; null until main() has found such a terminal.
std::ostream* progress_stream();
void set_progress_stream(std::ostream& terminal);

// Whether what goes to `descriptor` is coloured, as most programs decide it: not where NO_COLOR is set and not
// empty or CLICOLOR is 0, always where CLICOLOR_FORCE is set and neither empty nor 0, else where it is a terminal
// that is not dumb. NO_COLOR wins over CLICOLOR_FORCE, and that over CLICOLOR.
bool wants_colour(int descriptor);

// The columns of the terminal at `descriptor`; `without` where it is none or does not say.
std::size_t columns_of(int descriptor, std::size_t without);

}  // namespace reshape::conformance
