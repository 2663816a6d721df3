#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/detection/diagnosis.h"
#include "conformance/property/generation.h"
#include "conformance/property/law_result.h"
#include "conformance/run/result.h"

namespace reshape::conformance {

struct DiagnosisOptions {
  double seconds = 20;            // for comparing; mistakes beyond that are left out
  std::string_view without = {};  // the name of a mutant that is left out
  // Lines of requests that failed and are no cases of the run.
  std::vector<std::string> besides = {};
  std::function<void(int done, int all)> progress = {};  // of the mistakes; any thread
};

// For DiagnosisOptions::besides: the smallest requests, and of each law that does not hold the last
// one that shows it. What is said of failures next to these in a report must not contradict them.
std::vector<std::string> failed_besides(const std::optional<Generation>& generated,
                                        std::span<const LawResult> laws);

// Says what the failures of `result` are about, compares them with the answers of the ledger's
// mutants to the same requests, and derives the right answer to the first. Nothing when no case
// failed, or the ledger cannot be reached. Asks `implementation` and the mutants again, in host
// processes, since a result does not contain outcomes. Failures that are answered differently when
// asked again are counted, but not compared.
std::optional<Diagnosis> diagnose(const RunResult& result, const AdapterOptions& implementation,
                                  const DiagnosisOptions& options = {});

}  // namespace reshape::conformance
