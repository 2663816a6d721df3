#pragma once

#include <cstdint>

#include "conformance/model/request.h"

namespace reshape::fuzz {

// The most bytes that a tensor of a decoded request takes, from its first element to its last.
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;
// The greatest length of an axis list or a pattern, and of a list of element values.
inline constexpr std::size_t kMostAxes = 64;
inline constexpr std::size_t kMostElements = 64;

// Makes `request` valid with as few changes as possible: values fit their types, lists have the
// right lengths, layouts are small and lie behind their base; there is an output layout only where
// the document produces a shape, and its elements do not overlap; data beyond kMostBytes is asked
// for its shape only. The answer may be any. Idempotent and deterministic. Precondition: the
// dialect is built in.
void make_askable(conformance::Request& request);

}  // namespace reshape::fuzz
