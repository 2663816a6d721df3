#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace reshape::conformance {

// Of an output that holds in a long run what it held before: it is looked at again for some milliseconds, where there
// are other threads in this process, which may still be writing. How many milliseconds after the first look `now` last
// changed; nothing where it does not change.
std::optional<int> written_later(const std::vector<std::byte>& elements, std::uint8_t poison,
                                 const std::function<std::vector<std::byte>()>& now);

}  // namespace reshape::conformance
