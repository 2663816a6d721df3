#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "conformance/adapter/adapter.h"
#include "conformance/detection/diagnosis.h"
#include "conformance/run/result.h"

namespace reshape::conformance {

struct DiagnosisOptions {
  double seconds = 20;            // mistakes that cannot be compared with within it are left out
  std::string_view without = {};  // the name of a mutant that is left out
  std::function<void(int done, int all)> progress = {};  // of the mistakes; any thread
};

// Compares the failures of `result` with what every mutant of the ledger answers to the same requests,
// says what the failures are about, and derives the right answer to the first. Nothing when no case
// failed, or when the ledger cannot be reached. `implementation` is asked again, in a host process, since
// a result does not keep what was seen; so are the mutants. What is answered otherwise when it is asked
// again is like nothing: it is counted, and compared with no mistake.
std::optional<Diagnosis> diagnose(const RunResult& result, const AdapterOptions& implementation,
                                  const DiagnosisOptions& options = {});

}  // namespace reshape::conformance
