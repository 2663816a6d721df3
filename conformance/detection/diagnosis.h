#pragma once

#include <optional>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/run/result.h"

namespace reshape::conformance {

// Compares the failures of `result` with what every mutant of the ledger answers to the same requests,
// and derives the right answer to the first. Nothing when no case failed, or when the ledger cannot
// be reached. `implementation` is asked again, in a host process, since a result does not keep what
// was seen; so are the mutants.
std::optional<Diagnosis> diagnose(const RunResult& result, const AdapterOptions& implementation);

// Two answers to one request that no plane can tell apart. What was said in words does not count.
bool same_answer(const Outcome& one, const Outcome& other);

}  // namespace reshape::conformance
