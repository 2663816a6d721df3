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

// What the broken laws of a run look like.
struct LawDiagnosis {
  // Of the trials of one law what breaks it has in common.
  struct Finding {
    std::string law;
    std::vector<std::string>
        where;             // what the first requests of these trials have and few of the others
    int broken = 0;        // trials
    int broken_there = 0;  // that have all of `where`: nearly all of them
    int held = 0;
    int held_there = 0;
  };
  std::vector<Finding> findings;
  std::vector<ThreadFinding> threads;  // of laws about threads
  // A known mistake that breaks what was compared in the same way, and keeps what is kept: nearly all of it, because
  // what threads do at once differs from time to time.
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

// By the trials of each law (LawResult::trials), which are made again of the mistakes that no single request shows.
// Nothing where no law is broken so that it shows in a fresh process.
std::optional<LawDiagnosis> diagnose_laws(std::span<const LawResult> laws, const Suite& suite,
                                          const DiagnosisOptions& options = {});

}  // namespace reshape::conformance
