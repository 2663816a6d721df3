#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace reshape::conformance {

// Whether an output is still written after execute has returned. If it has a long run of the poison
// and this process has other threads, `now` is compared for some milliseconds. Returns how many
// milliseconds after the first look it last changed; nothing where it does not change.
std::optional<int> written_later(const std::vector<std::byte>& elements, std::uint8_t poison,
                                 const std::function<std::vector<std::byte>()>& now);

}  // namespace reshape::conformance
