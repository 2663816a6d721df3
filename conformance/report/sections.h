#pragma once

#include <string>

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

// The word, quoted if a shell would split or expand it.
std::string shell_word(const std::string& word);

}  // namespace reshape::conformance
