#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/detection/diagnosis.h"
#include "conformance/model/clause.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance {

// The diagnosis of a mutant that was left out of the ledger for it.
struct HeldOut {
  const self::Mutant* mutant = nullptr;
  int failures = 0;
  std::string says;                 // the first cause named, in a sentence; empty: none is
  std::vector<std::string> breaks;  // the clause and the duty that it names

  bool named() const { return !breaks.empty(); }
  bool right_kind() const;  // `breaks` includes what the mutant breaks
  // It does not, but includes another clause of the subject: minus-one.inferred for
  // minus-one.divides.
  bool neighbour() const;
};

struct DiagnosisScore {
  std::uint64_t seed = 0;
  std::string dialect;
  std::vector<HeldOut> held_out;  // in the order in which they were drawn; each fails some case
};

struct DiagnosisScoreOptions {
  int count = 0;           // of mutants, or all that there are
  std::uint64_t seed = 1;  // of the order in which they are drawn
  std::string dialect;     // whose cases they are asked
  double deadline_seconds = 5;
  int jobs = 1;
  std::function<void(const HeldOut&)> told = {};  // of each as it is diagnosed, which takes long
};

// Leaves mutants out of the ledger one at a time (similar ones stay in it), and diagnoses each like
// an unknown library. Mutants that keep killing their process are not drawn.
DiagnosisScore score_diagnosis(const Suite& suite, const DiagnosisScoreOptions& options);

// Where the first cause does not name what the mutant breaks, a line that says what it names; else
// nothing.
std::string text(const HeldOut& one);
// The shares.
std::string text(const DiagnosisScore& score);

}  // namespace reshape::conformance
