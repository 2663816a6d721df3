#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/model/request.h"
#include "fuzz/input/bytes.h"

namespace reshape::fuzz {

// What a fuzzer's bytes mean. Total: any bytes are a request that can be asked (see askable.h). The
// meaning depends on nothing but the bytes, not on which implementations are loaded, so that a corpus
// keeps its meaning. The first byte is the version:
//
//   'Q'       the fields of a request, packed one after the other
//   any other  decisions of the generator, which draws the class of the answer first
//
// A new form takes another first byte, and the meaning of these stays.
inline constexpr std::uint8_t kPacked = 'Q';

conformance::Request decode(Bytes bytes);
// The same; reuses what `request` has allocated.
void decode(Bytes bytes, conformance::Request& request);

// Bytes of the packed form that mean `request`, or nothing when there are none: a dialect that is not
// declared, or a request that make_askable would change.
std::optional<std::vector<std::uint8_t>> encode(const conformance::Request& request);

// Writes the packed form of an askable request; the size used. Where the room is too short, what is
// written means another request.
std::size_t encode_into(const conformance::Request& request, std::span<std::uint8_t> room);

// Sixteen bits of a name. They are the number of a dialect in the packed form, so that it stays when
// specs/ gets another dialect.
std::uint16_t short_hash(std::string_view name);

}  // namespace reshape::fuzz
