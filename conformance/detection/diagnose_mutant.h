#pragma once

#include <optional>
#include <string_view>

#include "conformance/detection/diagnosis.h"
#include "conformance/model/clause.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance {

// Asks a mutant what a run asks of a library: the cases of the document and the requests that the
// suite's version draws. Then diagnoses its failures within the seconds that a run takes for it, as
// if the mistake `without` were not in the ledger. Nothing where no case failed, or the mutant does
// not start.
std::optional<Diagnosis> diagnose_mutant(const Suite& suite, const Document& document,
                                         const self::Mutant& mutant, double deadline_seconds,
                                         int jobs, std::string_view without = {});

}  // namespace reshape::conformance
