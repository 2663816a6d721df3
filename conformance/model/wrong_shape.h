#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/model/outcome.h"
#include "conformance/model/request.h"
#include "conformance/model/wrong_elements.h"
#include "reference/tensor/dialect.h"
#include "reference/tensor/ruling.h"

namespace reshape::conformance {

// What a wrong shape is instead of the right one. Each fact explains all of its wrong sizes.
struct WrongShape {
  std::string says;  // of this shape: "size 4 is the pattern's value modulo 2^32"; may be empty
  // In words that other shapes may share: "each wrong size is the pattern's value modulo 2^32".
  std::vector<ElementFact> facts;
};

// Describes the shape that inference answered, or the sizes of which some are negative. Nothing
// where it answered none, or a right one.
// `dialect` is the request's; null where it is not known, and then what must be refused is not
// described.
std::optional<WrongShape> wrong_shape(const Request& request, const Dialect* dialect,
                                      const Ruling& right, const Outcome& outcome);

// The sizes of an answer that is no shape because some of them are negative, from the examination's
// words: "answered the sizes [2,-2147483648]". Empty where it is not so.
std::vector<std::int64_t> negative_sizes(std::string_view words);

// The size that the answer must have on each axis, where it is given at all; empty where the rank
// is not given either.
std::vector<std::optional<std::int64_t>> right_sizes(const Ruling& right);

}  // namespace reshape::conformance
