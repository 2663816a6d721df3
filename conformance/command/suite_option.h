#pragma once

#include <optional>
#include <string>

#include "conformance/command/commands.h"
#include "conformance/model/clause.h"

namespace reshape::conformance {

// The option --specs DIR of every command: the suite in that folder instead of the built-in one.
// Must outlive the run of the command, and owns the suite.
class SuiteOption {
 public:
  void add_to(CLI::App& command);

  // The chosen suite. Null where the folder has a mistake: console.err has the error, and the exit
  // code is 2.
  const Suite* open(Console& console);

  bool built_in() const { return folder_.empty(); }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  std::optional<Suite> loaded_;
};

}  // namespace reshape::conformance
