#pragma once

#include <optional>
#include <string>

#include "conformance/command/commands.h"
#include "conformance/model/clause.h"
#include "conformance/spec/load.h"

namespace reshape::conformance {

// The sentence that refuses a dialect which the suite does not have: it names those that it has.
std::string unknown_dialect(const std::string& dialect, const Suite& suite);

// The document of a dialect. Null where the suite has none: console.err has the error, and the exit
// code is kBadInput.
const Document* document_of(const std::string& dialect, const Suite& suite, Console& console);

// The case of this id, in the suite or of the suite in other types (run/other_types.h).
std::optional<Case> case_named(const std::string& id, const Suite& suite);

// The option --specs DIR of every command: the suite in that folder instead of the built-in one.
// Must outlive the run of the command, and owns the suite.
class SuiteOption {
 public:
  void add_to(
      CLI::App& command,
      const char* says = "Read the documents and cases of this folder, not the built-in ones");

  // The chosen suite. Null where the folder has a mistake: console.err has the error, and the exit
  // code is 2.
  const Suite* open(Console& console) { return opened(load_suite, console); }
  // For commands that ask implementations (see load_suite_to_ask).
  const Suite* open_to_ask(Console& console) { return opened(load_suite_to_ask, console); }

  bool built_in() const { return folder_.empty(); }
  const std::string& folder() const { return folder_; }

 private:
  using Load = Result<Suite>(const std::string& folder);
  const Suite* opened(Load& load, Console& console);

  std::string folder_;
  std::optional<Suite> loaded_;
};

}  // namespace reshape::conformance
