#pragma once

#include <string>

#include "conformance/model/clause.h"

namespace reshape::conformance {

// A digest of the suite that is short enough to be committed (specs/digest.txt): a line for each
// document and each file of cases, with the number of cases and a hash of their ids, requests,
// answers and clauses. Its diff shows which documents and files an edit of specs/ changed.
std::string digest_of(const Suite& suite);

}  // namespace reshape::conformance
