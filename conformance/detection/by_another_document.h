#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/run/result.h"

namespace reshape::conformance {

// A document whose requests an implementation answers by the rules of other documents.
struct ByAnotherDocument {
  std::string dialect;
  std::vector<std::string> as;  // the other documents; several if the answers fit all of them
  int failures = 0;             // wrong answers that were compared
  int failures_so = 0;          // of these: right by the other documents
  int passes = 0;
  int passes_so = 0;
};

// Finds, for each document with several wrong answers, other documents by which nearly all of them
// are right, and nearly all passing answers too. Uses the answers of the run; asks nothing.
std::vector<ByAnotherDocument> by_another_document(const RunResult& result,
                                                   std::span<const CaseResult* const> failed);

std::string text(const ByAnotherDocument& one);

}  // namespace reshape::conformance
