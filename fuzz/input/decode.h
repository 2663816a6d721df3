#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "conformance/model/request.h"
#include "fuzz/input/bytes.h"

namespace reshape::fuzz {

// What a fuzzer's bytes mean. Total: any bytes are a request that can be asked (see askable.h). The
// meaning depends on nothing but the bytes, not on which implementations are loaded, so that a corpus
// keeps its meaning. The first byte is the version:
//
//   'P'       the fields of a request, packed one after the other
//   any other  decisions of the generator, which draws the class of the answer first
//
// A new form takes another first byte, and the meaning of these stays.
inline constexpr std::uint8_t kPacked = 'P';

conformance::Request decode(Bytes bytes);
// The same; reuses what `request` has allocated.
void decode(Bytes bytes, conformance::Request& request);

// Bytes of the packed form that mean `request`, or nothing when there are none: a dialect that the
// form does not number, or a request that make_askable would change.
std::optional<std::vector<std::uint8_t>> encode(const conformance::Request& request);

// Writes the packed form of an askable request; the size used. Where the room is too short, what is
// written means another request.
std::size_t encode_into(const conformance::Request& request, std::span<std::uint8_t> room);

// The dialects by their numbers in the packed form.
std::span<const std::string_view> dialect_numbers();

}  // namespace reshape::fuzz
