#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/model/request.h"
#include "fuzz/input/bytes.h"

namespace reshape::fuzz {

// Decodes the input of a fuzzer. Never fails: any bytes give an askable request (see askable.h).
// The request depends only on the bytes, not on the implementation under test, so a corpus keeps
// its meaning. The first byte is the version:
//
//   'Q'       the fields of a request, packed one after the other
//   any other  choices for the generator of requests, which draws the class of the answer first
//
// A new encoding must use another first byte; the meaning of the existing ones must not change.
inline constexpr std::uint8_t kPacked = 'Q';

conformance::Request decode(Bytes bytes);
// The same, reusing the memory of `request`.
void decode(Bytes bytes, conformance::Request& request);

// The packed form of `request`; nothing where it has none: its dialect is not built in, or
// make_askable would change it.
std::optional<std::vector<std::uint8_t>> encode(const conformance::Request& request);

// Writes the packed form of an askable request, and returns its size in bytes. If `room` is too
// small, the bytes decode to another request.
std::size_t encode_into(const conformance::Request& request, std::span<std::uint8_t> room);

// A 16-bit hash of a name. It is the number of a dialect in the packed form, so that the number
// does not change when specs/ gets another dialect.
std::uint16_t short_hash(std::string_view name);

}  // namespace reshape::fuzz
