#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/model/outcome.h"

namespace reshape::conformance {

// What a watch saw, without what varies by request or by call (numbers, addresses, bytes): which
// buffer was overrun and at which end, which argument was changed, which setting of the process. Of
// an answer that changes: what was answered then, and when. Equal where two implementations may
// have made the same mistake with one request.
std::string object_seen(const Observation& one);

// Of memory that grows: by how many bytes with each call.
std::optional<std::int64_t> bytes_a_call(const Observation& one);

// Whether both saw the same, in any order: the same watches, object_seen(), and growth by about
// as many bytes.
bool saw_the_same(const std::vector<Observation>& one, const std::vector<Observation>& other);

}  // namespace reshape::conformance
