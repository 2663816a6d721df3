#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "conformance/adapter/adapter.h"
#include "conformance/detection/diagnosis.h"
#include "conformance/run/result.h"

namespace reshape::conformance {

struct DiagnosisOptions {
  double seconds = 20;            // for comparing; mistakes beyond that are left out
  std::string_view without = {};  // the name of a mutant that is left out
  std::function<void(int done, int all)> progress = {};  // of the mistakes; any thread
};

// Says what the failures of `result` are about, compares them with the answers of the ledger's
// mutants to the same requests, and derives the right answer to the first. Nothing when no case
// failed, or the ledger cannot be reached. Asks `implementation` and the mutants again, in host
// processes, since a result does not contain outcomes. Failures that are answered differently when
// asked again are counted, but not compared.
std::optional<Diagnosis> diagnose(const RunResult& result, const AdapterOptions& implementation,
                                  const DiagnosisOptions& options = {});

}  // namespace reshape::conformance
