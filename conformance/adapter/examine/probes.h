#pragma once

#include <cstdint>
#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// The probes (set-ups of executions) for a request whose shape was inferred. `size` is the larger
// of the two buffers in bytes. Every payload comes with both poisons; the distinct one in all
// rounds that its type needs; each placement occurs with the distinct and the hard payload; null
// and written-out strides, and pointers with and without a byte offset, alternate; empty tensors
// have a null or a real pointer. Large tensors get fewer placements, but all payloads and both
// poisons; above kManyProbes bytes, only as many probes as are needed for every element to be
// distinct and hard once.
std::vector<Probe> probes_for_execution(const Request& request, const Capabilities& capabilities,
                                        std::int64_t size);

// The probes for a request that inference refused; also in place and as views, where these are
// promised.
std::vector<Probe> probes_for_refusal(const Request& request, const Capabilities& capabilities);

// The probes into another_shape(inferred), which must be refused (duty C20); also in place, and
// as a view, where these are promised; without elements also with null pointers. None where the
// duty does not apply, or the request has no plain small output.
std::vector<Probe> probes_of_another_output(const Request& request,
                                            const Capabilities& capabilities,
                                            const Shape& inferred);

// One with the payload that the request says, or the distinct one, and nothing special.
Probe plain_probe(Probe::Ask ask, const Request& request);

inline constexpr std::int64_t kAllPlacements = std::int64_t{64} << 10;
inline constexpr std::int64_t kManyProbes = std::int64_t{8} << 20;

// The bytes that outputs hold before a call; the two differ in every bit.
inline constexpr std::uint8_t kPoisons[] = {0xa5, 0x5a};

}  // namespace reshape::conformance
