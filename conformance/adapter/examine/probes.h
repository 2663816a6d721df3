#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// The set-ups that a request is executed with after its shape was inferred. `size` is the larger of
// the two buffers in bytes. Every payload comes with both poisons; distinct comes in all the rounds
// that its type needs; each placement meets the distinct and the hard payload; null and written-out
// strides, pointers with and without a byte offset alternate; empty tensors come with a null and with
// a real pointer. Large tensors get fewer placements, but all payloads and both poisons; above
// kManyProbes bytes, as few probes as show every element distinct and hard once.
std::vector<Probe> probes_for_execution(const Request& request, const Capabilities& capabilities,
                                        std::int64_t size);

// The set-ups for a request that inference refused; in place, too, where that is promised.
std::vector<Probe> probes_for_refusal(const Request& request, const Capabilities& capabilities);

// The set-ups of executions into another_shape(inferred), which have to be refused (duty C20), the last one in place
// where that is promised; none where the implementation is not bound to, or where the request has no plain small output.
std::vector<Probe> probes_of_another_output(const Request& request,
                                            const Capabilities& capabilities,
                                            const Shape& inferred);

inline constexpr std::int64_t kAllPlacements = std::int64_t{64} << 10;
inline constexpr std::int64_t kManyProbes = std::int64_t{8} << 20;

// What outputs hold before a call. No bit is the same in both.
inline constexpr std::uint8_t kPoisons[] = {0xa5, 0x5a};

}  // namespace reshape::conformance
