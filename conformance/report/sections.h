#pragma once

#include <string>
#include <vector>

#include "conformance/report/report.h"

namespace reshape::conformance {

// The results besides the cases: laws, generated requests, bounded-exhaustive runs. Empty where
// there are none. `quiet`: only failures.
std::string sections_text(const Report& run, bool quiet);

// The diagnosis of the failures, the derivation of the right answer, and the diagnosis of broken
// laws.
std::string diagnosis_text(const Report& run);

// One law in full, with the lines that show where it is broken.
std::string law_text(const Report& run, const LawResult& law);

// The command that asks all of the run once more, for what shows only there.
std::string whole_run_command(const Report& run);

// " --specs DIR", by which a command asks the same suite. Empty for the built-in one.
std::string specs_option(const RunOptions& options);

// Why the baseline is not true of the run, one line each: its entries of cases that passed or were
// not executed, and then its own faults. Not yet printable.
std::vector<std::string> baseline_lines(const Report& run);

}  // namespace reshape::conformance
