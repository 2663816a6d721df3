#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "reference/tensor/shape_pattern.h"

namespace reshape::optimized {

// A sentence written into a caller's array, ended by a NUL, and cut where the array ends: a refusal
// asks for no memory. Until words are appended, nothing is written.
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

  void push_back(char letter) {
    if (length_ + 1 == array_.size()) return;
    array_[length_++] = letter;
    array_[length_] = '\0';
  }

 private:
  std::span<char> array_;
  std::size_t length_ = 0;
};

// What follows appends to a Sentence or to a std::string.

template <typename Words, typename Integer>
void append_number(Words& words, Integer number) {
  if (number >= 0 && number < 10) return words.push_back(static_cast<char>('0' + number));
  char digits[24];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
  words.append(std::string_view(digits, static_cast<std::size_t>(end - digits)));
}

template <typename Words>
void append_value(Words& words, PatternValue value) {
  // A value is one of an i64 or of a u64.
  if (value > 0) return append_number(words, static_cast<std::uint64_t>(value));
  append_number(words, static_cast<std::int64_t>(value));
}

// "[2,150,4]"
template <typename Words, typename Value>
void append_list(Words& words, std::span<const Value> values) {
  words.push_back('[');
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) words.push_back(',');
    append_value(words, values[i]);
  }
  words.push_back(']');
}

}  // namespace reshape::optimized
