#pragma once

#include <string>
#include <vector>

#include "conformance/model/clause.h"

namespace reshape::conformance {

// How a case bears on a clause that it names.
enum class Bearing : std::uint8_t {
  holds,   // the clause is kept by the right answer
  breaks,  // the right answer is to reject for this clause
  opens,   // the right answer is open because of this clause
};
Bearing bearing(const Case& one, const std::string& clause);

// The row of one clause in the matrix: the cases that name it, by how they bear on it.
struct ClauseTrace {
  const Clause* clause = nullptr;
  std::vector<const Case*> holds;
  std::vector<const Case*> breaks;
  std::vector<const Case*> opens;
  std::vector<std::string> missing;  // "no case breaks it"; empty when the row is complete
};

struct DocumentTrace {
  const Document* document = nullptr;
  std::vector<ClauseTrace> clauses;  // in the document's order
};

// The clause x case matrix. It points into the suite, which must outlive it.
struct Trace {
  std::vector<DocumentTrace> documents;
  // A sentence for each orphan: a clause that lacks a case, or a case without a clause.
  std::vector<std::string> orphans;
};

// Every clause needs a case that holds it (a silent one: that opens it) and, where it can be
// broken, one that breaks it. Every case needs clauses that its document has.
Trace trace(const Suite& suite);

// A document as a page of Markdown: what it is, how it answers the questions that every Reshape has
// to answer, and each clause with its level, section, words, ruling, count of cases and the first
// case of each kind. Generated from the suite alone, so that it cannot disagree with it.
std::string guide_to(const DocumentTrace& traced, const std::string& suite_version);

}  // namespace reshape::conformance
