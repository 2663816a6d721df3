#pragma once

#include <string>
#include <vector>

#include "conformance/model/clause.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// A part of what a run can ask, chosen for a purpose.
struct Tier {
  std::vector<std::string> cases;  // ids
  std::vector<std::string> laws;   // names; asked with the default seed and number of requests
};

// The few questions that kill every mutant which all questions together kill; `mutants --write-tier`
// chooses them. From quick_tier.txt, built in.
const Tier& quick_tier();

// A line for each question, "case ID" or "law NAME"; empty lines and those that begin with # say
// nothing. The error names the file and the line.
Result<Tier> parse_tier(const std::string& text, const std::string& file);
std::string text(const Tier& tier);

// The tier's cases in the order of the suite. The error names one that the suite does not have.
Result<std::vector<const Case*>> cases_of(const Tier& tier, const Suite& suite);

}  // namespace reshape::conformance
