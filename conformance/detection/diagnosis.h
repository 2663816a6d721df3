#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/run/result.h"

namespace reshape::conformance {

struct DiagnosisOptions {
  double seconds = 20;  // mistakes that cannot be compared with within it are left out
  std::function<void(int done, int all)> progress = {};  // of the mistakes; any thread
};

// Compares the failures of `result` with what every mutant of the ledger answers to the same requests,
// and derives the right answer to the first. Nothing when no case failed, or when the ledger cannot
// be reached. `implementation` is asked again, in a host process, since a result does not keep what
// was seen; so are the mutants. What is answered otherwise when it is asked again is like nothing: it is
// counted, and compared with no mistake. A mistake is named only where it agrees with more of the
// failures and of the passes than chance would have it.
std::optional<Diagnosis> diagnose(const RunResult& result, const AdapterOptions& implementation,
                                  const DiagnosisOptions& options = {});

// Two answers to one request that no plane can tell apart. What was said in words does not count.
bool same_answer(const Outcome& one, const Outcome& other);

// The probability that of `failing` and `passing` cases a mistake that has nothing to do with the failures
// hits so many of the failing and so few of the passing, given how many it hits at all: the exact test of
// Fisher, one-sided.
double chance_of(int hit_failing, int failing, int hit_passing, int passing);

}  // namespace reshape::conformance
