#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/command/commands.h"
#include "conformance/model/clause.h"

namespace reshape::conformance {

// The options by which `list` and `export` choose cases. Lives at least until the command has run.
class CaseFilter {
 public:
  void add_to(CLI::App& command);

  // The cases of the suite that every given option lets through, in the suite's order; nothing, with a
  // sentence and an exit code on the console, where an option can match nothing, which is a slip of the hand.
  std::optional<std::vector<const Case*>> choose(const Suite& suite, Console& console) const;

  bool none() const { return (dialect_ + clause_ + type_ + id_).empty(); }

 private:
  bool sound(const Suite& suite, Console& console) const;
  bool wants(const Case& one) const;

  std::string dialect_;
  std::string clause_;
  std::string type_;
  std::string id_;
};

}  // namespace reshape::conformance
