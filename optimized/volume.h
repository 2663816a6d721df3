#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace reshape::optimized {

// The product of sizes above 0 as an exact natural number of any length, made to be divided:
// whether other sizes divide it is asked by dividing them out one after the other. Words are held
// in place up to a volume of 2^4096 and on the heap beyond.
class Volume {
 public:
  // Precondition: no size is below 1.
  explicit Volume(std::span<const std::int64_t> sizes);

  // Divides by `size` when that leaves no rest; else the value is unspecified and false is
  // returned. Precondition: size >= 1.
  bool divide(std::int64_t size);

  bool is_one() const { return length_ == 1 && words()[0] == 1; }
  bool fits_int64() const { return length_ == 1 && (words()[0] >> 63) == 0; }
  // Precondition: fits_int64().
  std::int64_t as_int64() const { return static_cast<std::int64_t>(words()[0]); }

 private:
  static constexpr std::size_t kInPlace = 64;
  const std::uint64_t* words() const { return heap_.empty() ? in_place_ : heap_.data(); }
  std::uint64_t* words() { return heap_.empty() ? in_place_ : heap_.data(); }
  void append(std::uint64_t word);

  std::uint64_t in_place_[kInPlace];  // least significant first
  std::vector<std::uint64_t> heap_;   // all the words, once there are more than fit in place
  std::size_t length_ = 1;
};

}  // namespace reshape::optimized
