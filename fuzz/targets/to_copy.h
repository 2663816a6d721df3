#pragma once

#include <cstdint>
#include <optional>

#include "conformance/model/request.h"
#include "fuzz/input/bytes.h"
#include "reference/tensor/ruling.h"

namespace reshape::fuzz {

// What the bytes of an input ask to be copied.
struct ToCopy {
  const conformance::Request& request;  // until the next input
  Ruling ruling;                        // produces, and its strides fit into 63 bits
  std::int64_t elements = 0;
};

// Decodes, decides and counts the clause, for every input; nothing where the answer is no shape, where
// only the shape is asked, or where there are more than `most_elements`.
std::optional<ToCopy> to_copy(Bytes bytes, std::int64_t most_elements);

}  // namespace reshape::fuzz
