#pragma once

#include <cstdint>

#include "conformance/model/request.h"

namespace reshape::fuzz {

// No tensor of a decoded request takes more bytes from its first element to its last.
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;
// No axis list and no pattern is longer, and no more elements are written out.
inline constexpr std::size_t kMostAxes = 64;
inline constexpr std::size_t kMostElements = 64;

// Changes `request` as little as may be, so that it can be asked: values that their types hold, lists
// of the right lengths, layouts that lie behind their base and are small, an output layout only where
// the document produces a shape and without two elements in one place, sizes beyond kMostBytes for
// their shape only. What it answers may be anything. Idempotent, and depends on nothing but the
// request. Precondition: the dialect is built in.
void make_askable(conformance::Request& request);

}  // namespace reshape::fuzz
