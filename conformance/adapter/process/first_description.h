#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/outcome.h"

namespace reshape::conformance {

// What an implementation says of itself: each value by its name in reports.
std::vector<std::pair<std::string, std::string>> declared(const Capabilities& can);

// How `now`, which a later start of the same implementation declares, differs from the first, in a
// sentence: "a later start of it declares max_rank 1, and the first 0". Empty where it does not.
std::string declared_otherwise(const Capabilities& first, const Capabilities& now);

// What an implementation said of itself first in a run. It binds every later process: one that
// declared less would else be judged by less.
class FirstDescription {
 public:
  // A process has started and declares this. The first one binds.
  void heard(const Capabilities& now);
  // Binds in place of what was heard here first.
  void hold_to(const Capabilities& first);
  const Capabilities& first() const { return first_; }
  // declared_otherwise() of the process at hand.
  const std::string& otherwise() const { return otherwise_; }
  // Adds the fault of the process at hand to what it answered, if it has one.
  void tell(Outcome& outcome) const;

 private:
  Capabilities first_;
  std::optional<Capabilities> now_;
  std::string otherwise_;
};

}  // namespace reshape::conformance
