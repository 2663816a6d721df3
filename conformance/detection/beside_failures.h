#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/model/clause.h"
#include "conformance/model/request.h"
#include "conformance/model/verdict.h"
#include "conformance/property/choices.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance {

// A failure that a mistake explains, and its first fault.
struct Explained {
  const Request* request;
  const Fault* fault;
};

// Requests that were not looked at when an implementation was found to make the mistake of a
// mutant, perhaps under conditions: the traits of those that refute the conditions, and how many
// speak for and against the mistake.
struct BesideFailures {
  std::vector<std::vector<std::string>> alike;  // without the conditions: answered as by the mutant
  std::vector<std::vector<std::string>> beyond;  // with them: right, where the mutant is wrong
  int same = 0;                                  // answered wrongly, and as by the mutant
  int missed = 0;  // failing as what is explained does, where the mutant is right
};

// Asks both what differs in little from failures that the mistake explains. At most some dozen
// requests, none after `end`.
BesideFailures beside_failures(const Suite& suite, std::span<const Explained> failures,
                               const std::vector<std::string>& where, const self::Mutant& mutant,
                               Adapter& adapter, Choices& choices,
                               std::chrono::steady_clock::time_point end);

}  // namespace reshape::conformance
