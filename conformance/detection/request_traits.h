#pragma once

#include <string>
#include <vector>

#include "conformance/model/request.h"

namespace reshape::conformance {

// What can be said of a request in a few words each: "data of f32", "data of rank 4", "a -1 in the
// pattern", "strided data". Sorted, each once. Failures that have one in common, which passes have not, show
// where a mistake is.
std::vector<std::string> traits_of(const Request& request);

// Those in both; both sorted.
std::vector<std::string> common_traits(const std::vector<std::string>& one,
                                       const std::vector<std::string>& other);
bool has_trait(const std::vector<std::string>& traits, const std::string& trait);
bool has_traits(const std::vector<std::string>& traits, const std::vector<std::string>& wanted);

}  // namespace reshape::conformance
