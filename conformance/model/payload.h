#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "conformance/model/request.h"
#include "reference/tensor/element_type.h"

namespace reshape::conformance {

// Bits of the element at row-major position `position`.
//
// distinct: no two positions hold the same bits over all rounds. An element of b bits can tell only
//   2^b positions apart in one run, so round r holds digit r of (a mixing of) the position in base
//   2^b, and `distinct_rounds` says how many rounds a tensor of that size needs.
// hard: the bit patterns that conversions and arithmetic change: NaN with a payload, signalling
// NaN,
//   -0, denormals, infinities, largest and smallest finite values; for integers the ends of the
//   range and values beyond 2^24 and 2^53. They alternate in a cycle of odd length.
// zeros: all bits 0; from 2 KiB on also runs of elements with the sign bit alone (of booleans, 1), but
//   not in every second 32 KiB and 512 KiB.
// A boolean holds 0 or 1 only.
std::uint64_t payload_bits(Payload payload, ElementType type, std::int64_t position, int round = 0);

// Fills `packed` with the payload of positions 0 .. count - 1, packed (the unused half of a last
// byte is 0), about as fast as memory can be written.
void fill_payload(Payload payload, ElementType type, int round, std::int64_t count,
                  std::span<std::byte> packed);

// Rounds that `distinct` needs so that every position of `count` elements is unique; at least 1.
int distinct_rounds(ElementType type, std::int64_t count);

const char* name(Payload payload);  // "distinct"

}  // namespace reshape::conformance
