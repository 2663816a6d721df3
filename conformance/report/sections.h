#pragma once

#include <string>

#include "conformance/report/report.h"

namespace reshape::conformance {

// What a run found besides the cases: laws, generated requests, bounded-exhaustive runs. Empty where it holds
// none of them. `quiet`: only what went wrong.
std::string sections_text(const Report& run, bool quiet);

// What the failures look like, and how the right answer comes about, and what the broken laws look like.
std::string diagnosis_text(const Report& run);

// One law in full, with the lines that show where it is broken.
std::string law_text(const Report& run, const LawResult& law);

// In quotes where a shell would take it apart.
std::string shell_word(const std::string& word);

}  // namespace reshape::conformance
