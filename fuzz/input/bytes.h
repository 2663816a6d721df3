#pragma once

#include <cstdint>
#include <span>

#include "reference/tensor/shape_pattern.h"

namespace reshape::fuzz {

using Bytes = std::span<const std::uint8_t>;

// A hash of the bytes. Targets choose by it what to do with an input, which keeps them
// deterministic.
std::uint32_t turn_of(Bytes bytes);

// Reads fields from bytes in order. Never fails: bytes past the end read as 0. Does not own the
// bytes.
class FieldReader {
 public:
  explicit FieldReader(Bytes bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  std::uint8_t byte() { return at_ == end_ ? std::uint8_t{0} : *at_++; }
  // The next `count` bytes as a little-endian number.
  std::uint64_t plain(int count);
  // A number from -2^63 to 2^64-1; see FieldWriter::number.
  PatternValue number();
  Bytes rest() const { return {at_, end_}; }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

// Writes the same fields. What does not fit is dropped, and reads back as zeros.
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
  // Small numbers and the limits of types take one byte, others one byte more than they need. So a
  // fuzzer that changes a byte mostly changes one number.
  void number(PatternValue value);

  std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }
  bool truncated() const { return truncated_; }

 private:
  std::uint8_t* begin_;
  std::uint8_t* at_;
  std::uint8_t* end_;
  bool truncated_ = false;
};

// Numbers at which arithmetic often goes wrong. Their order is part of the encoding: append only.
std::span<const PatternValue> borders();

}  // namespace reshape::fuzz
