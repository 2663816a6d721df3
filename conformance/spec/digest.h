#pragma once

#include <string>

#include "conformance/model/clause.h"

namespace reshape::conformance {

// What the suite asks, in a form short enough to be committed: a line for each document and for each
// file of cases, with the number of cases and a hash of their ids, requests, answers and clauses.
// An edit of specs/ shows in it which documents and files it changed.
std::string digest_of(const Suite& suite);

}  // namespace reshape::conformance
