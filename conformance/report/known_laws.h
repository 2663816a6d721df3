#pragma once

#include <string>

#include "conformance/report/report.h"
#include "conformance/run/baseline.h"

namespace reshape::conformance {

// Marks the laws of `run` that do not hold and that the baseline knows on its platform and on `day`, or knew
// until a day that is over. An entry whose law was asked and holds is a fault of the baseline. Where laws alone were
// asked and the baseline knows failures of cases, an undecided law is known, too.
void apply_to_laws(const Baseline& baseline, Report& run, const std::string& day = today());

// Whether the baseline accepts on `platform` and on `day` that this law does not hold. Any thread.
bool knows_law(const Baseline& baseline, const std::string& law, const std::string& platform,
               const std::string& day = today());

// Makes `mended`, the baseline that is to be written, true of the run's laws: entries of laws that hold are
// dropped, and those that do not hold get one. Entries of other platforms and of laws that were not asked stay.
void mend_laws(const Report& run, Baseline& mended);

}  // namespace reshape::conformance
