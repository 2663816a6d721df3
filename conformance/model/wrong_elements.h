#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/model/judge.h"

namespace reshape::conformance {

// Something that holds of every wrong element of one execution.
struct ElementFact {
  std::string says;  // "the last element of each row"; of a value "is 0"
  double share =
      1;  // of all elements, or of all mistakes, that it could be said of: the less, the more it says
  // Else so few elements agree that it may be chance; where others say the same, it is one more.
  bool by_itself = true;
  // Of a place where others are right, by chance or not: how many are wrong there.
  std::int64_t wrong_there = 0;
};

// Which elements of an output are wrong, and what they hold instead. Places are told where most of the elements
// there are wrong, too.
struct WrongElements {
  std::vector<ElementFact> places;
  std::vector<ElementFact> values;
};

// Of the execution that `fault` was seen in. Nothing where the fault is about no elements, or so many are wrong
// that to look at all of them takes long.
std::optional<WrongElements> wrong_elements(const Request& request, const Expectation& expectation,
                                            const Outcome& outcome, const Fault& fault);

// "the last element of each row; each is 0". Either may be empty.
std::string text_of_wrong(const std::string& places, const std::string& values);
// The same of what says most.
std::string text(const WrongElements& wrong);

}  // namespace reshape::conformance
