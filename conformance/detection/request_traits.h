#pragma once

#include <string>
#include <vector>

#include "conformance/model/request.h"

namespace reshape::conformance {

// Something that can be said of a request in a few words: "data of f32", "a -1 in the pattern",
// "strided data".
struct Trait {
  std::string says;
  // In natural logarithms. Specific traits, of which there are many and some fit by coincidence,
  // cost more.
  double cost = 0;
};

// All traits of a request, sorted by their words, each once. Traits that failures share and passes
// lack show where a mistake is.
std::vector<Trait> traits_of(const Request& request);

// The words alone, with fixed bounds of the rank, the pattern's length and its type, for use without
// a group of requests. Without those that so few requests have that they say too little.
std::vector<std::string> words_about(const Request& request);

// Those in both; both sorted.
std::vector<std::string> common_traits(const std::vector<std::string>& one,
                                       const std::vector<std::string>& other);
bool has_trait(const std::vector<std::string>& traits, const std::string& trait);
bool has_traits(const std::vector<std::string>& traits, const std::vector<std::string>& wanted);

}  // namespace reshape::conformance
