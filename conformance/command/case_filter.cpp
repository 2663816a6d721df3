#include "conformance/command/case_filter.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "conformance/command/suite_option.h"
#include "conformance/run/selection.h"
#include "conformance/text/glob.h"

namespace reshape::conformance {

void CaseFilter::add_to(CLI::App& command) {
  command.add_option("-d,--dialect", dialect_, "Only cases of this dialect");
  command.add_option("-c,--clause", clause_, "Only cases that name this clause");
  command.add_option("-t,--type", type_, "Only cases whose data has this element type");
  command.add_option("-f,--filter,--id", id_, "Only cases whose id matches, as in '*/example-*'")
      ->type_name("GLOB");
}

std::optional<std::vector<const Case*>> CaseFilter::choose(const Suite& suite,
                                                           Console& console) const {
  if (!sound(suite, console)) return std::nullopt;
  std::vector<const Case*> chosen;
  for (const Document& document : suite.documents) {
    if (!dialect_.empty() && document.dialect.name != dialect_) continue;
    for (const Case& one : document.cases) {
      if (wants(one)) chosen.push_back(&one);
    }
  }
  return chosen;
}

bool CaseFilter::sound(const Suite& suite, Console& console) const {
  if (!dialect_.empty() && suite.document(dialect_) == nullptr) {
    refuse(console, "unknown dialect \"" + dialect_ + "\"; known: " + known_dialects(suite));
    return false;
  }
  if (!type_.empty() && !element_type_named(type_)) {
    refuse(console, "unknown element type \"" + type_ + "\"; known: " + ElementTypes::all().text());
    return false;
  }
  const bool known_clause =
      clause_.empty() || std::ranges::any_of(suite.documents, [&](const Document& document) {
        return document.clause(clause_) != nullptr;
      });
  if (!known_clause) refuse(console, "no document has a clause \"" + clause_ + '"');
  return known_clause;
}

bool CaseFilter::wants(const Case& one) const {
  if (!type_.empty() && one.request.data_type != *element_type_named(type_)) return false;
  if (!id_.empty() && !matches(id_, one.id)) return false;
  return clause_.empty() || std::ranges::find(one.clauses, clause_) != one.clauses.end();
}

}  // namespace reshape::conformance
