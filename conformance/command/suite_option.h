#pragma once

#include <optional>
#include <string>

#include "conformance/command/commands.h"
#include "conformance/model/clause.h"

namespace reshape::conformance {

// The option --specs DIR that every command takes: the suite of that folder instead of the built-in
// one. Lives at least until the command has run.
class SuiteOption {
 public:
  void add_to(CLI::App& command);

  // The chosen suite; null when the folder has a mistake, which then stands on console.err, with
  // exit code 2.
  const Suite* open(Console& console);

  bool built_in() const { return folder_.empty(); }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  std::optional<Suite> loaded_;
};

}  // namespace reshape::conformance
