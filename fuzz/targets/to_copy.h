#pragma once

#include <cstdint>
#include <optional>

#include "conformance/model/request.h"
#include "fuzz/input/bytes.h"
#include "reference/tensor/ruling.h"

namespace reshape::fuzz {

// The copy that an input asks for.
struct ToCopy {
  const conformance::Request& request;  // valid until the next call of to_copy
  Ruling ruling;                        // produces, and its strides fit into 63 bits
  std::int64_t elements = 0;
};

// Decodes an input, computes its ruling and counts its clause. Nothing where the ruling produces no
// shape, only the shape is asked for, or there are more than `most_elements` elements.
std::optional<ToCopy> to_copy(Bytes bytes, std::int64_t most_elements);

}  // namespace reshape::fuzz
