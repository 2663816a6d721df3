#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "conformance/model/request.h"
#include "conformance/translation/port_world.h"
#include "reference/tensor/dialect.h"
#include "reference/tensor/result.h"
#include "reference/tensor/ruling.h"

namespace reshape::conformance {

struct PortQuestion {
  Request asked;                     // in the words of the source; of the data its type counts
  std::optional<PartialShape> data;  // what is known of the data's shape
  bool valid_only = false;           // only data shapes count for which the source gives a shape
};

// What has to be written in the target for the answers of the source.
struct Port {
  // In the words of the target; nothing where no pattern does it.
  std::optional<Request> request;

  // Where there is none: the smallest data shape by which every pattern of the target has answered
  // otherwise than the source once, what the source answers there, and one that had been right until then.
  Shape at;
  Ruling source_answers;
  std::optional<Request> nearest;
  Ruling nearest_answers;

  std::uint64_t candidates = 0;
  std::uint64_t shapes = 0;
  std::string world;
};

// A pattern of the target does it when, for every shape of the world (port_world.h), it answers nothing but
// what the source permits: the same shape, or a refusal where the source refuses; where the source leaves the
// answer open, one that it permits. What comes first of those that do: the fewest values changed, then the
// same meaning of the flag.
//
// Where the source gives a shape for some data of the world, every pattern of the target that could do it is
// looked at: it is as long as that shape, and each of its values is a -1, a 0, or that shape's size. Where the
// source gives none, these are looked at: the source's own values, -1, 0 and -2 at each place, and two -1.
//
// The error is a sentence: no element type, or no type for the pattern, that the target has, and more values
// than kMostValues.
inline constexpr std::size_t kMostValues = 12;
Result<Port> port(const Dialect& from, const Dialect& to, const PortQuestion& question);

}  // namespace reshape::conformance
