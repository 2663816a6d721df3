#include "conformance/adapter/examine/watches/bytes_changed.h"

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

void copy_bytes(const GuardedBuffer& buffer, std::vector<std::byte>& copy) {
  copy.clear();
  for (const Part& part : buffer.parts()) {
    const auto bytes = buffer.bytes().subspan(part.begin, part.end - part.begin);
    copy.insert(copy.end(), bytes.begin(), bytes.end());
  }
}

std::optional<Change> first_change(const std::vector<std::byte>& before,
                                   const GuardedBuffer& buffer) {
  std::optional<Change> found;
  std::size_t done = 0;
  for (const Part& part : buffer.parts()) {
    const std::size_t size = part.end - part.begin;
    auto change = first_change(std::span(before).subspan(done, size),
                               buffer.bytes().subspan(part.begin, size));
    done += size;
    if (!change) continue;
    change->at += static_cast<std::int64_t>(part.begin);
    if (found) {
      found->changed += change->changed;
    } else {
      found = change;
    }
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
