#include "conformance/command/suite_option.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "conformance/run/other_types.h"
#include "conformance/run/selection.h"

namespace reshape::conformance {

std::string unknown_dialect(const std::string& dialect, const Suite& suite) {
  return "unknown dialect \"" + dialect + "\"; known: " + known_dialects(suite);
}

const Document* document_of(const std::string& dialect, const Suite& suite, Console& console) {
  const Document* document = suite.document(dialect);
  if (document == nullptr) refuse(console, unknown_dialect(dialect, suite));
  return document;
}

std::optional<Case> case_named(const std::string& id, const Suite& suite) {
  const Document* document = suite.document(id.substr(0, id.find('/')));
  if (document == nullptr) return std::nullopt;
  const auto found = std::ranges::find(document->cases, id, &Case::id);
  return found != document->cases.end() ? *found : case_in_other_types(suite, id);
}

void SuiteOption::add_to(CLI::App& command, const char* says) {
  command.add_option("--specs", folder_, says)->type_name("DIR");
}

const Suite* SuiteOption::opened(Load& load, Console& console) {
  if (built_in()) return &built_in_suite();
  if (!loaded_) {
    Result<Suite> suite = load(folder_);
    if (!suite) {
      refuse(console, suite.error().text());
      return nullptr;
    }
    loaded_ = *std::move(suite);
  }
  return &*loaded_;
}

}  // namespace reshape::conformance
