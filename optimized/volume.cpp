#include "optimized/volume.h"

namespace reshape::optimized {

namespace {
using Wide = unsigned __int128;
}

Volume::Volume(std::span<const std::int64_t> sizes) {
  in_place_[0] = 1;
  for (const std::int64_t size : sizes) {
    std::uint64_t carry = 0;
    std::uint64_t* word = words();
    for (std::size_t i = 0; i < length_; ++i) {
      const Wide product = static_cast<Wide>(word[i]) * static_cast<std::uint64_t>(size) + carry;
      word[i] = static_cast<std::uint64_t>(product);
      carry = static_cast<std::uint64_t>(product >> 64);
    }
    if (carry != 0) append(carry);
  }
}

void Volume::append(std::uint64_t word) {
  if (heap_.empty() && length_ == kInPlace) heap_.assign(in_place_, in_place_ + length_);
  if (heap_.empty()) {
    in_place_[length_] = word;
  } else {
    heap_.push_back(word);
  }
  ++length_;
}

bool Volume::divide(std::int64_t size) {
  if (size == 1) return true;
  const auto divisor = static_cast<std::uint64_t>(size);
  std::uint64_t rest = 0;
  std::uint64_t* word = words();
  for (std::size_t i = length_; i-- > 0;) {
    const Wide dividend = (static_cast<Wide>(rest) << 64) | word[i];
    word[i] = static_cast<std::uint64_t>(dividend / divisor);
    rest = static_cast<std::uint64_t>(dividend % divisor);
  }
  while (length_ > 1 && word[length_ - 1] == 0) --length_;
  return rest == 0;
}

}  // namespace reshape::optimized
