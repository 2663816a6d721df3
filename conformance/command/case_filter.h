#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/command/commands.h"
#include "conformance/model/clause.h"

namespace reshape::conformance {

// The options with which `list` and `export` choose cases. Must outlive the run of the command.
class CaseFilter {
 public:
  void add_to(CLI::App& command);

  // The cases that every given option lets through, in the suite's order. Nothing, with an error
  // and an exit code on the console, where an option can match no case at all: it is misspelt.
  std::optional<std::vector<const Case*>> choose(const Suite& suite, Console& console) const;

  bool none() const { return (dialect_ + clause_ + type_ + id_).empty(); }

 private:
  bool sound(const Suite& suite, Console& console) const;

  std::string dialect_;
  std::string clause_;
  std::string type_;
  std::string id_;
};

}  // namespace reshape::conformance
