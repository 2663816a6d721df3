#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conformance/detection/diagnosis.h"
#include "conformance/detection/random_score.h"

namespace reshape::conformance {

// How many requests have a property, of so many that were looked at.
struct Count {
  int held = 0;
  int of = 0;

  double share() const { return of == 0 ? 0 : static_cast<double>(held) / of; }
};

// What the diagnosis says of a random mutant, held against requests that the diagnosis did not see.
struct CheckedDiagnosis {
  const self::RandomMutant* drawn = nullptr;
  int failures = 0;                 // of a run; 0: the run did not find the mutant
  std::string says;                 // the main finding in a sentence; empty: there is none
  std::vector<std::string> where;   // its conditions
  bool by_what_was_before = false;  // it says that the answers depend on earlier requests
  Count covered;                    // requests that are answered wrongly: those with all conditions
  Count narrow;                     // requests with all conditions: those that are answered wrongly
  std::string cause;                // the known mistake that most failures look like, or empty
  Count alike;  // requests that its conditions are about: those that it answers as the mutant does

  enum class Fate : std::uint8_t {
    not_found,
    silent,   // no finding holds most of the failures
    refuted,  // a condition or a known mistake is named, and other requests show otherwise
    wide,     // what it says is true, and most requests that it is true of are answered rightly
    told,  // it is true, and half at least of the requests that it is true of are answered wrongly
  };
  Fate fate() const;
};

struct RandomDiagnosisOptions {
  RandomOptions drawn;  // its count: of mutants that are diagnosed
  std::function<void(const CheckedDiagnosis&)> told = {};  // of each as it is diagnosed
};

// Draws mutants over the first document of the suite, diagnoses each as a run would, and asks other
// requests whether what the diagnosis says is so.
std::vector<CheckedDiagnosis> check_random_diagnoses(const Suite& suite,
                                                     const RandomDiagnosisOptions& options);

// The mutant, what is said of it, and the shares. Empty of what is told well, or was not found.
std::string text(const CheckedDiagnosis& one);
// The shares of the fates.
std::string text(const std::vector<CheckedDiagnosis>& all);

}  // namespace reshape::conformance
