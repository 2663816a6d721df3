#include "fuzz/input/bytes.h"

#include <algorithm>
#include <array>
#include <limits>

namespace reshape::fuzz {
namespace {

constexpr std::uint8_t kFirstNegative = 0xc0;  // a smaller byte is the number itself
constexpr std::uint8_t kFirstPositiveLong = 0xd0;
constexpr std::uint8_t kFirstNegativeLong = 0xd8;
constexpr std::uint8_t kFirstBorder = 0xe0;

constexpr PatternValue power(int exponent) { return PatternValue{1} << exponent; }

constexpr std::array<PatternValue, 32> kBorders = {
    power(8) - 1,  power(8),      power(15) - 1, power(15),     power(16) - 1, power(16),
    power(24),     power(30),     power(31) - 1, power(31),     power(31) + 1, power(32) - 1,
    power(32),     power(32) + 1, power(33),     power(40),     power(53) + 1, power(61),
    power(62),     power(63) - 1, power(63),     power(63) + 1, power(64) - 1, -power(7),
    -power(15),    -power(31),    -power(32),    -power(62),    -power(63),    power(63) / 3,
    power(32) / 3, 65537 * 257,
};

// The number of bytes that a magnitude needs, at least 1.
int length_of(std::uint64_t magnitude) {
  int length = 1;
  while (length < 8 && magnitude >> (8 * length) != 0) ++length;
  return length;
}

}  // namespace

std::span<const PatternValue> borders() { return kBorders; }

std::uint64_t FieldReader::plain(int count) {
  std::uint64_t value = 0;
  for (int i = 0; i < count; ++i) value |= std::uint64_t{byte()} << (8 * i);
  return value;
}

PatternValue FieldReader::number() {
  const std::uint8_t tag = byte();
  if (tag < kFirstNegative) return tag;
  if (tag < kFirstPositiveLong) return -1 - (tag - kFirstNegative);
  if (tag < kFirstNegativeLong) return plain(tag - kFirstPositiveLong + 1);
  if (tag < kFirstBorder) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    return -1 - static_cast<PatternValue>(plain(tag - kFirstNegativeLong + 1) & kMost);
  }
  return kBorders[tag - kFirstBorder];
}

void FieldWriter::plain(std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i) byte(static_cast<std::uint8_t>(value >> (8 * i)));
}

void FieldWriter::number(PatternValue value) {
  if (value >= 0 && value < kFirstNegative) return byte(static_cast<std::uint8_t>(value));
  if (value < 0 && value >= -16) {
    return byte(static_cast<std::uint8_t>(kFirstNegative + (-1 - value)));
  }
  const auto* const border = std::find(kBorders.begin(), kBorders.end(), value);
  if (border != kBorders.end()) {
    return byte(static_cast<std::uint8_t>(kFirstBorder + (border - kBorders.begin())));
  }
  const auto magnitude = static_cast<std::uint64_t>(value < 0 ? -1 - value : value);
  const int length = length_of(magnitude);
  byte(static_cast<std::uint8_t>((value < 0 ? kFirstNegativeLong : kFirstPositiveLong) + length -
                                 1));
  plain(magnitude, length);
}

// FNV-1a.
std::uint32_t turn_of(Bytes bytes) {
  std::uint32_t hash = 2166136261u;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 16777619u;
  return hash ^ hash >> 15;
}

}  // namespace reshape::fuzz
