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

// JSON texts of what `list` and `trace` show, for programs.
std::string json_of_cases(const Suite& suite, std::span<const Case* const> cases);
// The cases with a stamp: versions, commit, a hash of the suite, and of each document that is asked
// its title, version, publisher, address and licence.
std::string stamped_json_of_cases(const Suite& suite, std::span<const Case* const> cases,
                                  const Provenance& from);
std::string json_of_trace(const Suite& suite, const Trace& trace);

}  // namespace reshape::conformance
