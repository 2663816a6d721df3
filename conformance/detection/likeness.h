#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/detection/diagnosis.h"
#include "conformance/model/outcome.h"
#include "conformance/model/verdict.h"

namespace reshape::conformance {

// Two answers to one request that no plane can tell apart, as far as both were asked. What was said in
// words counts only where the words are ours (what is malformed), and numbers in them never do.
bool same_answer(const Outcome& one, const Outcome& other);

// The set-up in which the first fault of a verdict was seen was also asked of `other`: else it cannot be
// said to answer alike.
bool reaches_fault(const Verdict& verdict, const Outcome& other);

// Whether the answer is too little to tell mistakes apart by: an output of another shape is taken, and there is none
// whose sizes other than 1 differ.
bool tells_little(const Outcome& outcome);

// What a known mistake answers to a request that was asked of an implementation.
enum class Answer : std::uint8_t {
  right,
  same,       // wrong, and as the implementation is
  otherwise,  // wrong in another way
  not_asked,
};

// A known mistake, and its answers to the failures and to the passes of an implementation.
struct Mistake {
  std::string mutant;
  std::string says;
  std::string breaks;
  std::string public_bug;
  std::vector<Answer> failures;
  std::vector<Answer> passes;
};

// A case that was compared.
struct Compared {
  std::vector<std::string> traits;  // of the request, see request_traits.h
  std::vector<std::string> broken;  // of a failure: the clauses and duties of its faults
};

// The mistakes that the failures look like, the likest first. A mistake is a cause where it is wrong only
// where the implementation is, and in the same way; perhaps only `where` the request has a trait or two.
// The failures that it explains are then left out, and the rest may have another. No cause is named where
// one that breaks something else explains the failures as well, or nearly.
std::vector<Diagnosis::Cause> causes_of(std::span<const Compared> failures,
                                        std::span<const Compared> passes,
                                        std::span<const Mistake> mistakes);

// The probability that of `failing` and `passing` cases a mistake that has nothing to do with the failures
// hits so many of the failing and so few of the passing, given how many it hits at all: the exact test of
// Fisher, one-sided.
double chance_of(int hit_failing, int failing, int hit_passing, int passing);

}  // namespace reshape::conformance
