#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "conformance/model/clause.h"
#include "conformance/spec/trace.h"

namespace reshape::conformance {

// Where an exported list of cases comes from.
struct Provenance {
  std::string program;  // its version
  std::string commit;   // that the program was built from
};

// How many cases all documents have.
std::size_t all_cases(const Suite& suite);

// A digest of the suite that is short enough to be committed (specs/digest.txt): a line for each
// document and each file of cases, with the number of cases and a hash of their ids, requests,
// answers and clauses. Its diff shows which documents and files an edit of specs/ changed.
std::string digest_of(const Suite& suite);

// JSON texts of what `list` and `trace` show, for programs.
std::string json_of_cases(const Suite& suite, std::span<const Case* const> cases);
// The cases with a stamp: versions, commit, a hash of the suite, and of each document that is asked
// its title, version, publisher, address and licence.
std::string stamped_json_of_cases(const Suite& suite, std::span<const Case* const> cases,
                                  const Provenance& from);
std::string json_of_trace(const Suite& suite, const Trace& trace);

}  // namespace reshape::conformance
