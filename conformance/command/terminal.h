#pragma once

#include <iosfwd>

namespace reshape::conformance {

// Where a line may be written over and over, past the console's streams, which let no control byte
// through; null until main() has found such a terminal.
std::ostream* progress_stream();
void set_progress_stream(std::ostream& terminal);

}  // namespace reshape::conformance
