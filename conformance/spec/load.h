#pragma once

#include <string>

#include "conformance/model/clause.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// Reads a folder like specs/ (its README.md says what is in it). Every mistake is an error with
// file and line: an unknown key, a duplicate id, a clause that the document does not have, a
// request that does not parse. The first mistake is returned. Declares the dialects to this process
// (see declared_dialects.h), so that lines in their words can be read and printed.
Result<Suite> load_suite(const std::string& folder);

// The same for whoever asks implementations the cases: one whose answer contradicts the rules of
// its document is an error, too, since a right implementation would be blamed for it.
Result<Suite> load_suite_to_ask(const std::string& folder);

// The suite that was built into this program from specs/.
const Suite& built_in_suite();

}  // namespace reshape::conformance
