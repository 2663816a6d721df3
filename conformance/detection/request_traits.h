#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/model/request.h"

namespace reshape::conformance {

// What can be said of a request in a few words each: "data of f32", "data of rank 4", "a -1 in the
// pattern", "strided data". Sorted, each once. Failures that have one in common, which passes have not, show
// where a mistake is.
std::vector<std::string> traits_of(const Request& request);

// Bounds of the rank and of the pattern's type, added where no group of requests gives its own.
void add_thresholds(const Request& request, std::vector<std::string>& traits);

// Between which numbers a group of requests lies, each bound in words: "data of rank 5 or more", "at most 16
// elements", "the -1 at axis 2 or behind".
class Ranges {
 public:
  explicit Ranges(const Request& request);
  void widen(const Request& request);
  std::vector<std::string> all() const;  // the words of every bound
  // Adds the words of those bounds that the request is within; `traits` stays sorted.
  void add_held(const Request& request, std::vector<std::string>& traits) const;

 private:
  std::vector<std::optional<std::int64_t>> least_,
      most_;  // by measure; nothing: some request has none
};

// Those in both; both sorted.
std::vector<std::string> common_traits(const std::vector<std::string>& one,
                                       const std::vector<std::string>& other);
bool has_trait(const std::vector<std::string>& traits, const std::string& trait);
bool has_traits(const std::vector<std::string>& traits, const std::vector<std::string>& wanted);

}  // namespace reshape::conformance
