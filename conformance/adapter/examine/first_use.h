#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "conformance/model/outcome.h"

namespace reshape::conformance {

// A library may initialize itself at its first use: start a pool, install signal handlers, set a
// variable. The watches over the process see that at whichever request comes first in a process,
// and again after each restart. This class separates it from what a request does, by asking the
// request twice in a fresh process: what only the first time shows (the watches undo it in between)
// belongs to the first use; what both times show belongs to the request; and what neither shows
// stays with the request that showed it. But a language's runtime (Go's, for one) opens what it
// waits with when its scheduler first needs it, which may be in any call: such a file that a fresh
// process does not show belongs to the library too, once in a process. One object for each adapter.
class FirstUse {
 public:
  // To be called when a fresh process answers from now on.
  void new_process() { here_.clear(); }

  // Asks a request twice in a fresh process, as its first; nothing when an answer is missing.
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
