#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/model/judge.h"

namespace reshape::conformance {

// Something that is true of every wrong element of one execution.
struct ElementFact {
  std::string says;  // "the last element of each row"; of a value "is 0"
  // The share of all elements (or of all kinds of mistakes) that fit it: the smaller, the more it
  // says.
  double share = 1;
  // False: so few elements agree that it may be coincidence. It still counts together with other
  // failures.
  bool by_itself = true;
  // For a set of elements of which some are right: how many are wrong; 0: all.
  std::int64_t wrong_there = 0;
};

// Which elements of an output are wrong, and what they hold instead. A set of places is named only
// if most of its elements are wrong.
struct WrongElements {
  std::vector<ElementFact> places;
  std::vector<ElementFact> values;
};

// Describes the execution that `fault` was seen in. Nothing where the fault is not about elements,
// or too many are wrong to look at all of them.
std::optional<WrongElements> wrong_elements(const Request& request, const Expectation& expectation,
                                            const Outcome& outcome, const Fault& fault);

// "the last element of each row; each is 0". Either may be empty.
std::string text_of_wrong(const std::string& places, const std::string& values);
// The same with the most telling fact of either kind.
std::string text(const WrongElements& wrong);

}  // namespace reshape::conformance
