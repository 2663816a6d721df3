#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string_view>

#include "reference/tensor/shape_pattern.h"

namespace reshape::optimized {

// A NUL-terminated sentence in a caller's array, truncated where the array ends, so that a refusal
// allocates nothing. Until words are appended, nothing is written.
class Sentence {
 public:
  // Precondition: the array has room for the NUL.
  explicit Sentence(std::span<char> array) : array_(array) {}

  void append(std::string_view words) {
    const std::size_t length = std::min(words.size(), array_.size() - 1 - length_);
    std::memcpy(array_.data() + length_, words.data(), length);
    length_ += length;
    array_[length_] = '\0';
  }

 private:
  std::span<char> array_;
  std::size_t length_ = 0;
};

// Room for any number that is written below, and a comma.
inline constexpr std::ptrdiff_t kMostDigits = 24;

// Writes a number in digits and returns their end. Precondition: room for kMostDigits characters.
template <typename Integer>
char* write_number(char* at, Integer number) {
  if (number >= 0 && number < 10) {
    *at = static_cast<char>('0' + number);
    return at + 1;
  }
  return std::to_chars(at, at + kMostDigits, number).ptr;
}
inline char* write_value(char* at, std::int64_t value) {
  if (value != -1) return write_number(at, value);
  *at++ = '-';
  *at++ = '1';
  return at;
}
inline char* write_value(char* at, PatternValue value) {
  // Values come from an i64 or a u64 pattern.
  if (value > 0) return write_number(at, static_cast<std::uint64_t>(value));
  return write_value(at, static_cast<std::int64_t>(value));
}

template <typename Integer>
void append_number(Sentence& words, Integer number) {
  char digits[kMostDigits];
  const char* end = write_number(digits, number);
  words.append(std::string_view(digits, static_cast<std::size_t>(end - digits)));
}

// "[2,150,4]"
template <typename Value>
void append_list(Sentence& words, std::span<const Value> values) {
  // Collected in a local buffer, since each append() has to check for the end of the array.
  char part[8 * kMostDigits];
  char* at = part;
  const auto append = [&] {
    words.append(std::string_view(part, static_cast<std::size_t>(at - part)));
    at = part;
  };
  *at++ = '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::end(part) - at <= kMostDigits) append();
    if (i != 0) *at++ = ',';
    at = write_value(at, values[i]);
  }
  if (at == std::end(part)) append();
  *at++ = ']';
  append();
}

}  // namespace reshape::optimized
