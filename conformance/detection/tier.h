#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/clause.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// A part of what a run can ask, chosen for a purpose.
struct Tier {
  std::vector<std::string> cases;  // names: ids without the dialect, so that every dialect has them
  std::vector<std::string> laws;   // names; asked with the default seed and number of requests
};

// The few questions that kill every mutant which all cases and laws together kill; `mutants
// --write-tier` chooses them. From quick_tier.txt, built in.
const Tier& quick_tier();

// A line for each question, "case NAME" or "law NAME"; empty lines and those that begin with # say
// nothing. The error names the file and the line.
Result<Tier> parse_tier(const std::string& text, const std::string& file);
std::string text(const Tier& tier);

// Of `cases`, in their order, what the tier asks of an implementation that can do `capabilities` (null:
// all): in each dialect the cases that the tier names, in another element type where the named one is
// not promised, as many more as it takes to ask each clause of the dialect in each way (held, broken,
// opened) a few times; and over all dialects one of each other line of the suite whose data is small. So
// no clause and no small line goes unasked that all of `cases` would ask.
std::vector<const Case*> cases_of(const Tier& tier, std::span<const Case* const> cases,
                                  const Capabilities* capabilities);

}  // namespace reshape::conformance
