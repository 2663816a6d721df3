#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/clause.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// A selection of cases and laws.
struct Tier {
  std::vector<std::string> cases;  // names (ids without the dialect), for every dialect
  std::vector<std::string> laws;   // names; asked with the default seed and number of requests
};

// A few questions that kill every mutant that all cases and laws together kill. Embedded from
// quick_tier.txt, which `mutants --write-tier` writes.
const Tier& quick_tier();

// A line for each question, "case NAME" or "law NAME"; empty lines and those that begin with # are
// ignored. The error names the file and the line.
Result<Tier> parse_tier(const std::string& text, const std::string& file);
std::string text(const Tier& tier);

// Selects from `cases`, keeping their order, what the tier asks of an implementation with
// `capabilities` (null: all): in each dialect the cases that the tier names (in another element
// type where the named one is not supported), and further ones until each clause of the dialect is
// asked a few times in each way (held, broken, opened); and, over all dialects, one case of each
// other line of the suite with small data in each type of the pattern. So the tier covers every
// clause and small line that `cases` covers.
std::vector<const Case*> cases_of(const Tier& tier, std::span<const Case* const> cases,
                                  const Capabilities* capabilities);

}  // namespace reshape::conformance
