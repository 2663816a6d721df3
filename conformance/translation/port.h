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
  Request asked;  // as the source writes it; its data shape is ignored, only the data's type counts
  std::optional<PartialShape> data;  // the known part of the data's shape
  bool valid_only = false;           // ignore data shapes that the source refuses or leaves open
};

// The request in the target document that gives the answers of the source.
struct Port {
  // As the target writes it; nothing where no pattern gives these answers.
  std::optional<Request> request;

  // Where there is none: the data shape at which the last candidate fails when shapes are tried
  // from the smallest on, the source's answer there, and a candidate that was right until then.
  Shape at;
  Ruling source_answers;
  std::optional<Request> nearest;
  Ruling nearest_answers;

  // The clause for which the source refuses every data shape of the world; empty: it answers some.
  std::string refused_for;
  // The same of the target and the request that was found.
  std::string target_refuses_for;

  std::uint64_t candidates = 0;  // that were tried
  std::uint64_t shapes = 0;
  std::string world;
};

// Finds a pattern of the target whose answer is permitted by the source for every data shape of the
// world (port_world.h): the same shape, a refusal where the source refuses, or any permitted
// outcome where the source leaves the answer open. Prefers the fewest changed values, then the same
// meaning of the flag. The pattern has the source's type where the target has that; where none of
// that type is right, the target's widest signed type.
//
// Where the source gives a shape for some data of the world, all patterns that could work are
// tried: as long as that shape, each value -1, 0 or the size of that shape. Where the source never
// gives a shape, the tried values at each place are the source's own, -1, 0 and -2, and also two
// -1.
//
// An error (one sentence) where the target lacks the element type or any type for the pattern, or
// the pattern has more than kMostValues values.
inline constexpr std::size_t kMostValues = 12;
Result<Port> port(const Dialect& from, const Dialect& to, const PortQuestion& question);

}  // namespace reshape::conformance
