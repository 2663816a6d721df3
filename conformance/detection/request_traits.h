#pragma once

#include <string>
#include <vector>

#include "conformance/model/request.h"

namespace reshape::conformance {

// Something that can be said of a request in a few words: "data of f32", "a -1 in the pattern", "strided data".
struct Trait {
  std::string says;
  // In natural logarithms: what is plain to say goes before what is one of many, of which some fit by chance.
  double cost = 0;
};

// All that can be said of it, sorted by the words, each once. Failures that have a trait in common, which passes
// have not, show where a mistake is.
std::vector<Trait> traits_of(const Request& request);

// The same words alone, and bounds of the rank and of the pattern's type, for where no group of requests gives its own.
std::vector<std::string> words_about(const Request& request);

// Those in both; both sorted.
std::vector<std::string> common_traits(const std::vector<std::string>& one,
                                       const std::vector<std::string>& other);
bool has_trait(const std::vector<std::string>& traits, const std::string& trait);
bool has_traits(const std::vector<std::string>& traits, const std::vector<std::string>& wanted);

}  // namespace reshape::conformance
