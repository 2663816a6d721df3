#pragma once

#include <optional>
#include <string>

#include "conformance/property/law.h"

namespace reshape::conformance {

// An input that breaks a law, and how it does.
struct Breaking {
  Request input;
  Tried tried;
};

// In a fresh process, which is asked nothing else. What threads do at once may need more than one try.
bool breaks_alone(const Law& law, const Dialect& dialect, const Request& input, std::uint64_t seed,
                  const LawOptions& options, TimePoint end);

// Smaller inputs that still break the law, until there is none or enough was tried.
Breaking smallest_input(const Law& law, const Dialect& dialect, Breaking found, Adapter& adapter,
                        std::uint64_t seed, TimePoint end);

struct WrongAlone {
  std::string line;
  std::string says;
  bool died = false;
  bool in_turn =
      false;  // one thread breaks the law as well; else the line alone is answered wrongly
};

// What a trial that broke a law would show without what the law is about: requests that are answered wrongly alone, and
// of a law about threads what one thread shows as well that does the same work in turn. A law about what is asked first
// is about what is answered alone; a death is no answer.
std::optional<WrongAlone> shown_without(const Law& law, const Suite& suite, const Dialect& dialect,
                                        const Breaking& found, std::uint64_t seed,
                                        const LawOptions& options);

}  // namespace reshape::conformance
