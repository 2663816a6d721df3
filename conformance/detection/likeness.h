#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/detection/diagnosis.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"
#include "conformance/model/verdict.h"
#include "conformance/run/result.h"

namespace reshape::conformance {

// Whether two outcomes of one request are equal on every plane, as far as both were asked. Messages
// count only where they are ours (what is malformed), and without numbers.
bool same_answer(const Outcome& one, const Outcome& other);

// Whether two answers to one request are wrong in the same way, though not in every byte: the same
// elements are wrong, which may hold what was in memory before; the same watches saw something.
bool wrong_alike(const Verdict& one, const Outcome& answered, const Verdict& other,
                 const Outcome& answered_then);

// Whether a failure of the run hangs on what was asked before, and `again`, its verdict where it
// was asked again, does not show that: no mistake that knows nothing of earlier requests explains
// it, even where it answers now as that does.
bool hangs_on_earlier_requests(const CaseResult& failed, const Verdict& again);

// Whether `other` includes the set-up in which the verdict's first fault was seen: else the two
// cannot be compared.
bool reaches_fault(const Verdict& verdict, const Outcome& other);

// Whether the outcome cannot tell mistakes apart: an output of another shape is accepted, and there
// is no other shape that differs in more than axes of size 1.
bool tells_little(const Outcome& outcome);

// Whether sizes of a request multiply to more than 64 bits hold: those of the data, or those that the
// pattern names or a 0 may copy. What comes of a mistake then depends on how the product is taken,
// and tells nothing about whether two make the same one.
bool multiplies_beyond_64_bits(const Request& request);

// A mutant's answer compared with the implementation's.
enum class Answer : std::uint8_t {
  right,
  same,       // wrong, and as the implementation is
  otherwise,  // wrong in another way
  not_asked,
};

// A known mistake, and its mutant's answers to the failures and passes of an implementation.
struct Mistake {
  std::string mutant;
  std::string says;
  std::string breaks;
  std::string public_bug;
  std::vector<Answer> failures;
  std::vector<Answer> passes;
  // Traits of requests beside the run's that the implementation answers wrongly, and as the mutant
  // does: what they do not have is no condition.
  std::vector<std::vector<std::string>> beside = {};
  int same_beside = 0;    // of requests beside the run's: answered wrongly, and as the mutant does
  int missed_beside = 0;  // failing as what it explains does, where the mutant is right
};

// A case that was compared.
struct Compared {
  std::vector<std::string> traits;  // of the request, see request_traits.h
  std::vector<std::string> broken;  // of a failure: the clauses and duties of its faults
  std::string subject = {};         // of a failure: what it is about; empty where that is not known
};

// The mistakes that the failures look like, the most similar first. A mistake is a cause if its
// mutant is wrong only where the implementation is, and in the same way; possibly only for requests
// with the traits in `where`. It is too narrow to be a cause if its mutant is right where the
// implementation fails as it does in what the mistake explains. The failures that it explains are
// then removed, and the rest may have another cause. No cause is named if one that breaks something
// else explains the failures about equally well.
std::vector<Diagnosis::Cause> causes_of(std::span<const Compared> failures,
                                        std::span<const Compared> passes,
                                        std::span<const Mistake> mistakes);

// Fisher's exact test, one-sided: the probability that an unrelated mistake, which affects as many
// cases in all, affects at least `hit_failing` of the `failing` and only `hit_passing` of the
// `passing` cases.
double chance_of(int hit_failing, int failing, int hit_passing, int passing);

}  // namespace reshape::conformance
