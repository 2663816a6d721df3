#include <algorithm>
#include <string_view>

#include "conformance/spec/built_in_rows.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> list;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    list.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return list;
}

// The build has printed the lines, so they parse.
Case case_of(const CaseRow& row) {
  Case one;
  one.id = row.id;
  one.clauses = words(row.clauses);
  one.source = {row.kind, row.section, row.link};
  one.request = parse_line(row.request).value();
  one.expect = parse_ruling(row.expect).value();
  if (row.has_elements) one.expect_elements.emplace(row.elements.begin(), row.elements.end());
  one.file = row.file;
  one.line = row.line;
  return one;
}

Suite suite_of(const SuiteRows& rows) {
  Suite suite;
  suite.version = rows.version;
  for (const DocumentRow& row : rows.documents) {
    Document& document = suite.documents.emplace_back();
    document.dialect = *built_in_dialect(row.dialect);
    document.title = row.title;
    document.versioned_name = row.versioned_name;
    document.publisher = row.publisher;
    document.version = row.version;
    document.address = row.address;
    document.licence = row.licence;
    document.file = row.file;
    for (const ClauseRow& clause : row.clauses) {
      document.clauses.push_back({clause.id, static_cast<Level>(clause.level), clause.section,
                                  clause.says, clause.because, clause.breakable, clause.line});
    }
    document.cases.reserve(row.cases.size());
    for (const CaseRow& one : row.cases) document.cases.push_back(case_of(one));
  }
  return suite;
}

}  // namespace

const Suite& built_in_suite() {
  static const Suite suite = suite_of(kBuiltInSuite);
  return suite;
}

}  // namespace reshape::conformance
