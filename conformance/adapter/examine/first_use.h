#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "conformance/model/outcome.h"

namespace reshape::conformance {

// A library may set itself up when it is used first: start a pool, take signal handlers, set a variable.
// The watches over the process see it with whichever request comes first in a process, and again with
// another one after each restart. What is seen once is told apart from what a request does by asking that
// request twice in a fresh process: what the first time shows and the second does not (the watches put
// the process back in between) belongs to the first use; what both show belongs to the request; and what
// a fresh process does not show stays with the request that showed it.
// One for each adapter.
class FirstUse {
 public:
  // A fresh process answers from here on.
  void new_process() { here_.clear(); }

  // Both answers to the same request, the first that a fresh process is asked; nothing when one is missing.
  using AskTwice = std::function<std::optional<std::pair<Outcome, Outcome>>()>;

  // Moves what belongs to the first use to Outcome::at_first_use.
  void settle(Outcome& outcome, const AskTwice& ask_twice);

 private:
  bool belongs_to_it(const std::string& what, const AskTwice& ask_twice);

  std::map<std::string, bool> known_;  // what was seen -> whether it belongs to the first use
  std::set<std::string> here_;         // what the process at hand has shown before
  std::optional<std::pair<Outcome, Outcome>> twice_;  // of the outcome at hand
};

}  // namespace reshape::conformance
