#pragma once

#include <string>

#include "conformance/report/report.h"
#include "conformance/run/baseline.h"

namespace reshape::conformance {

// Marks the laws of `run` that do not hold and for which the baseline has an entry for its
// platform, valid on `day` or expired. An entry whose law was checked to its end and holds is a
// fault of the baseline. In a run of laws alone, undecided laws count as known if the baseline has
// failures of cases.
void apply_to_laws(const Baseline& baseline, Report& run, const std::string& day = today());

// Whether the baseline accepts on `platform` and on `day` that this law does not hold. Any thread.
bool knows_law(const Baseline& baseline, const std::string& law, const std::string& platform,
               const std::string& day = today());

// Updates `mended`, the baseline to be written, for the run's laws: drops the entries of laws that
// hold, and adds entries for those that do not. Entries of other platforms, and of laws that were
// not checked to their end, stay.
void mend_laws(const Report& run, Baseline& mended);

}  // namespace reshape::conformance
