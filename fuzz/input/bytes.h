#pragma once

#include <cstdint>
#include <span>

#include "reference/tensor/shape_pattern.h"

namespace reshape::fuzz {

using Bytes = std::span<const std::uint8_t>;

// A number that is the same for the same bytes, for targets that take turns by their input.
std::uint32_t turn_of(Bytes bytes);

// Reads fields from bytes, first to last. Total: past the end every byte is 0.
class FieldReader {
 public:
  explicit FieldReader(Bytes bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  std::uint8_t byte() { return at_ == end_ ? std::uint8_t{0} : *at_++; }
  // `count` bytes, the lowest first.
  std::uint64_t plain(int count);
  // A number from -2^63 to 2^64-1; see FieldWriter::number.
  PatternValue number();
  Bytes rest() const { return {at_, end_}; }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

// Writes the same fields. What does not fit any more is left out, which reads back as zeros.
class FieldWriter {
 public:
  explicit FieldWriter(std::span<std::uint8_t> room)
      : begin_(room.data()), at_(room.data()), end_(room.data() + room.size()) {}

  void byte(std::uint8_t value) {
    if (at_ == end_) {
      truncated_ = true;
    } else {
      *at_++ = value;
    }
  }
  void plain(std::uint64_t value, int count);
  // Small numbers and the borders of types take one byte, others as many as they need and one more,
  // so that a fuzzer that changes a byte changes a number and nothing else.
  void number(PatternValue value);

  std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }
  bool truncated() const { return truncated_; }

 private:
  std::uint8_t* begin_;
  std::uint8_t* at_;
  std::uint8_t* end_;
  bool truncated_ = false;
};

// Numbers at which arithmetic goes wrong. Their order is part of the form of the bytes.
std::span<const PatternValue> borders();

}  // namespace reshape::fuzz
