#include "conformance/command/planned_cases.h"

#include "conformance/detection/tier.h"
#include "conformance/run/selection.h"

namespace reshape::conformance {

std::vector<const Case*> planned_cases(const Suite& suite, const RunOptions& options,
                                       const Capabilities& capabilities) {
  Selection selection{options.dialects, options.filters, options.clauses, options.types};
  if (selection.dialects.empty()) {
    for (const Document& document : suite.documents) {
      const std::string& dialect = document.dialect.name;
      if (capabilities.has_dialect(dialect)) selection.dialects.push_back(dialect);
    }
  }
  std::vector<const Case*> cases = cases_that_meet(suite, selection);
  if (options.tier == "quick") return cases_of(quick_tier(), cases, &capabilities);
  ask_once(cases);
  return cases;
}

}  // namespace reshape::conformance
