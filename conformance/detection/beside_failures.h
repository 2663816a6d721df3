#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/model/clause.h"
#include "conformance/property/choices.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance {

// Traits of requests that were not looked at when conditions were found under which an
// implementation makes the mistake of a mutant. Each of these refutes them.
struct BesideFailures {
  std::vector<std::vector<std::string>> alike;  // without the conditions: answered as by the mutant
  std::vector<std::vector<std::string>> beyond;  // with them: right, where the mutant is wrong
};

// Asks both what differs in little from failures that the mistake explains. At most some dozen
// requests, none after `end`.
BesideFailures beside_failures(const Suite& suite, std::span<const Request* const> failures,
                               const std::vector<std::string>& where, const self::Mutant& mutant,
                               Adapter& adapter, Choices& choices,
                               std::chrono::steady_clock::time_point end);

}  // namespace reshape::conformance
