#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/adapter/memory/guarded_buffer.h"

namespace reshape::conformance {

// The first byte that differs between before and after, and how many do.
struct Change {
  std::int64_t at = 0;
  std::uint8_t was = 0;
  std::uint8_t is = 0;
  std::int64_t changed = 0;
};

// Precondition: both have the same size.
std::optional<Change> first_change(std::span<const std::byte> before,
                                   std::span<const std::byte> after);

// "byte 5 changed from a5 to 00 (3 bytes in all)"
std::string text(const Change& change);
// Copies the bytes of a buffer (of a sparse one only the mapped parts), and finds the first that
// has changed since. Positions count from the start of the buffer.
void copy_bytes(const GuardedBuffer& buffer, std::vector<std::byte>& copy);
std::optional<Change> first_change(const std::vector<std::byte>& before,
                                   const GuardedBuffer& buffer);

std::string hex(std::uint8_t byte);

}  // namespace reshape::conformance
