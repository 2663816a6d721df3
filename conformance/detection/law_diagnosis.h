#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/detection/diagnose.h"
#include "conformance/detection/thread_diagnosis.h"
#include "conformance/model/clause.h"
#include "conformance/property/law_result.h"

namespace reshape::conformance {

// A diagnosis of the broken laws of a run.
struct LawDiagnosis {
  // What the trials that break one law have in common.
  struct Finding {
    std::string law;
    // Conditions that their first requests meet, and few of the others.
    std::vector<std::string> where;
    int broken = 0;        // trials
    int broken_there = 0;  // of these, trials that meet all of `where`: nearly all
    int held = 0;
    int held_there = 0;
  };
  std::vector<Finding> findings;
  std::vector<ThreadFinding> threads;  // of laws about threads
  // A known mistake that agrees with the run in nearly all compared trials (races vary from time to
  // time).
  struct Alike {
    std::string mutant, says, breaks, public_bug;
    int trials = 0;  // compared
    int agrees = 0;
  };
  std::vector<Alike> alike;
  int broken_compared = 0;  // trials
  int held_compared = 0;
  int mistakes = 0;  // that could be compared with
  int mistakes_asked = 0;
  double seconds = 0;
};

// Repeats the trials of each law (LawResult::trials) with the mutants that no single request shows.
// Nothing where no law is broken in a fresh process.
std::optional<LawDiagnosis> diagnose_laws(std::span<const LawResult> laws, const Suite& suite,
                                          const DiagnosisOptions& options = {});

}  // namespace reshape::conformance
