#pragma once

#include "conformance/self/mutant.h"

// A function for each table of mutants/; mutant.cpp lists them.
namespace reshape::conformance::self::families {

Mutants bytes_layout();
Mutants bytes_lengths();
Mutants bytes_places();
Mutants bytes_tiles();
Mutants bytes_values();
Mutants contract();
Mutants hardship();
Mutants memory();
Mutants process();
Mutants rules_shape();
Mutants rules_values();
Mutants rules_volume();
Mutants rules_zero();
Mutants sequence();

}  // namespace reshape::conformance::self::families
