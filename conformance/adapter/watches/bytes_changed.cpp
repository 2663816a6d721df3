#include "conformance/adapter/watches/bytes_changed.h"

#include <cstring>

namespace reshape::conformance {

std::optional<Change> first_change(std::span<const std::byte> before,
                                   std::span<const std::byte> after) {
  if (before.empty() || std::memcmp(before.data(), after.data(), before.size()) == 0) {
    return std::nullopt;
  }
  std::optional<Change> found;
  for (std::size_t at = 0; at < before.size(); ++at) {
    if (before[at] == after[at]) continue;
    if (!found) {
      found = Change{static_cast<std::int64_t>(at), static_cast<std::uint8_t>(before[at]),
                     static_cast<std::uint8_t>(after[at]), 0};
    }
    ++found->changed;
  }
  return found;
}

std::string hex(std::uint8_t byte) {
  static constexpr char kDigits[] = "0123456789abcdef";
  return {kDigits[byte >> 4], kDigits[byte & 0xf]};
}

std::string text(const Change& change) {
  return "byte " + std::to_string(change.at) + " changed from " + hex(change.was) + " to " +
         hex(change.is) +
         (change.changed > 1 ? " (" + std::to_string(change.changed) + " bytes in all)" : "");
}

}  // namespace reshape::conformance
