#include "conformance/command/case_filter.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "conformance/command/suite_option.h"
#include "conformance/run/selection.h"

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
  const auto given = [](const std::string& value) {
    return value.empty() ? std::vector<std::string>() : std::vector{value};
  };
  return cases_that_meet(suite, {given(dialect_), given(id_), given(clause_), given(type_)});
}

bool CaseFilter::sound(const Suite& suite, Console& console) const {
  if (!dialect_.empty() && document_of(dialect_, suite, console) == nullptr) return false;
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

}  // namespace reshape::conformance
