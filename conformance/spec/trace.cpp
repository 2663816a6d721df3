#include "conformance/spec/trace.h"

#include <algorithm>

namespace reshape::conformance {
namespace {

std::vector<std::string> missing(const ClauseTrace& row) {
  std::vector<std::string> sentences;
  const bool silent = row.clause->level == Level::silent;
  if (silent && row.opens.empty()) sentences.push_back("no case opens it");
  if (!silent && row.holds.empty()) sentences.push_back("no case holds it");
  if (row.clause->breakable && row.breaks.empty()) sentences.push_back("no case breaks it");
  return sentences;
}

void file_case(const Case& one, DocumentTrace& traced, std::vector<std::string>& orphans) {
  if (one.clauses.empty()) orphans.push_back("the case " + one.id + " names no clause");
  for (const std::string& id : one.clauses) {
    const auto row = std::ranges::find_if(
        traced.clauses, [&](const ClauseTrace& each) { return each.clause->id == id; });
    if (row == traced.clauses.end()) {
      orphans.push_back("the case " + one.id + " names " + id + ", a clause that " +
                        traced.document->dialect.name + " does not have");
      continue;
    }
    switch (bearing(one, id)) {
      case Bearing::holds: row->holds.push_back(&one); break;
      case Bearing::breaks: row->breaks.push_back(&one); break;
      case Bearing::opens: row->opens.push_back(&one); break;
    }
  }
}

}  // namespace

Bearing bearing(const Case& one, const std::string& clause) {
  if (one.expect.kind == Ruling::Kind::produces || one.expect.clause != clause) {
    return Bearing::holds;
  }
  return one.expect.kind == Ruling::Kind::rejects ? Bearing::breaks : Bearing::opens;
}

Trace trace(const Suite& suite) {
  Trace whole;
  for (const Document& document : suite.documents) {
    DocumentTrace& traced = whole.documents.emplace_back();
    traced.document = &document;
    for (const Clause& clause : document.clauses) {
      traced.clauses.emplace_back().clause = &clause;
    }
    for (const Case& one : document.cases) file_case(one, traced, whole.orphans);
    for (ClauseTrace& row : traced.clauses) {
      row.missing = missing(row);
      for (const std::string& sentence : row.missing) {
        whole.orphans.push_back("the clause " + row.clause->id + " of " + document.dialect.name +
                                " is an orphan: " + sentence);
      }
    }
  }
  return whole;
}

}  // namespace reshape::conformance
