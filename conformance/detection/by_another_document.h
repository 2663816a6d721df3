#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/run/result.h"

namespace reshape::conformance {

// An implementation that answers requests of one document as others tell it to.
struct ByAnotherDocument {
  std::string dialect;
  std::vector<std::string> as;  // several where they tell the answers apart from none of these
  int failures = 0;             // compared, of wrong answers
  int failures_so = 0;          // of these: answered so
  int passes = 0;
  int passes_so = 0;
};

// Of each document with several wrong answers: another by which nearly all of them are right, and nearly all answers
// that pass as well. By the answers of the run; nothing is asked.
std::vector<ByAnotherDocument> by_another_document(const RunResult& result,
                                                   std::span<const CaseResult* const> failed);

std::string text(const ByAnotherDocument& one);

}  // namespace reshape::conformance
