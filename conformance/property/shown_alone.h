#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/property/law.h"

namespace reshape::conformance {

// An input that breaks a law, and its trial.
struct Breaking {
  Request input;
  Tried tried;
};

// Whether the input breaks the law in a fresh process that is asked nothing else. Laws about
// threads get several attempts.
bool breaks_alone(const Law& law, const Dialect& dialect, const Request& input, std::uint64_t seed,
                  const LawOptions& options, TimePoint end);

// Shrinks an input while it still breaks the law, up to a number of trials.
Breaking smallest_input(const Law& law, const Dialect& dialect, Breaking found, Adapter& adapter,
                        std::uint64_t seed, TimePoint end);

struct WrongAlone {
  std::string line;
  std::string says;
  bool died = false;
  bool in_turn =
      false;  // one thread breaks the law as well; else the line alone is answered wrongly
  // In turn: it answers what it answered rightly alone otherwise, which the lines show.
  bool inconstant = false;
  std::vector<std::string> lines = {};
  bool again = false;  // the line alone is answered wrongly a second time, too
};

// Whether a broken trial has a cause that is not what the law is about: a request that is answered
// wrongly alone or, for a law about threads, a break that one thread asking in turn shows too. Not
// looked for where the law is about first calls, or the process died.
std::optional<WrongAlone> shown_without(const Law& law, const Suite& suite, const Dialect& dialect,
                                        const Breaking& found, std::uint64_t seed,
                                        const LawOptions& options);

}  // namespace reshape::conformance
