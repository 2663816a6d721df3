#include "fuzz/targets/counting.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "reference/tensor/zero_copies.h"

namespace reshape::fuzz {
namespace {

using Limb = std::uint64_t;

// An unsigned integer that holds the exact product of up to 66 factors below 2^64.
class Natural {
 public:
  Natural() { limbs_[0] = 1; }

  void times(Limb factor) {
    unsigned __int128 carry = 0;
    for (std::size_t i = 0; i < used_; ++i) {
      carry += static_cast<unsigned __int128>(limbs_[i]) * factor;
      limbs_[i] = static_cast<Limb>(carry);
      carry >>= 64;
    }
    if (carry != 0) limbs_[used_++] = static_cast<Limb>(carry);
    while (used_ > 1 && limbs_[used_ - 1] == 0) --used_;
  }
  // Divides this by `divisor` and returns the remainder. Precondition: divisor > 0.
  Limb divide(Limb divisor) {
    unsigned __int128 rest = 0;
    for (std::size_t i = used_; i-- > 0;) {
      rest = rest << 64 | limbs_[i];
      limbs_[i] = static_cast<Limb>(rest / divisor);
      rest %= divisor;
    }
    while (used_ > 1 && limbs_[used_ - 1] == 0) --used_;
    return static_cast<Limb>(rest);
  }
  bool is_zero() const { return used_ == 1 && limbs_[0] == 0; }
  std::optional<Limb> small() const {
    if (used_ > 1) return std::nullopt;
    return limbs_[0];
  }
  friend bool operator==(const Natural& a, const Natural& b) {
    return a.used_ == b.used_ &&
           std::equal(a.limbs_.begin(), a.limbs_.begin() + static_cast<std::ptrdiff_t>(a.used_),
                      b.limbs_.begin());
  }

 private:
  std::array<Limb, 68> limbs_;  // only the used ones are set
  std::size_t used_ = 1;
};

constexpr Limb kLargest = std::numeric_limits<std::int64_t>::max();

// The requested shape, read from the pattern independently of the rules.
struct Wanted {
  std::array<std::int64_t, 64> sizes;  // of a -1: -1
  std::size_t count = 0;
  std::size_t inferred = 0;  // how many -1 there are
  Natural known;             // product of the others
  Natural given;             // of the data
};

// False where a value cannot be a size.
bool read(const Dialect& dialect, const reference::Question& question, Wanted& wanted) {
  const bool copies = zero_copies(dialect, question.special_zero);
  for (const std::int64_t size : question.data) wanted.given.times(static_cast<Limb>(size));
  for (const PatternValue value : question.pattern.values) {
    const std::size_t at = wanted.count++;
    if (value > PatternValue{kLargest}) return false;
    if (value < -1 && dialect.values_below_minus_one == Answer::rejects) return false;
    // A -1, or another negative number that the dialect treats like a -1.
    if (value < 0 && dialect.minus_one == MinusOne::rejects) return false;
    std::int64_t size = value < 0 ? -1 : static_cast<std::int64_t>(value);
    if (value == 0 && copies) {
      if (at < question.data.rank()) {
        size = question.data[at];
      } else if (dialect.zero_past_rank == ZeroPastRank::rejects) {
        return false;
      } else {
        size = dialect.zero_past_rank == ZeroPastRank::one ? 1 : 0;
      }
    }
    wanted.sizes[at] = size;
    if (size == -1) {
      ++wanted.inferred;
    } else {
      wanted.known.times(static_cast<Limb>(size));
    }
  }
  return true;
}

// The only size for a -1 that keeps the volume, if there is one. Precondition: known is not 0.
struct Inferred {
  bool exists = false;
  Natural size;
};
Inferred only_size(const Wanted& wanted) {
  constexpr Limb kFew = 64;
  const std::optional<Limb> given = wanted.given.small();
  const std::optional<Limb> known = wanted.known.small();
  Inferred found;
  if (given && known && *given <= kFew) {
    for (Limb size = 0; size <= *given; ++size) {
      // All larger sizes give a product above `given`. The division avoids an overflow.
      if (size != 0 && *known > *given / size) break;
      if (size * *known != *given) continue;
      found.exists = true;
      found.size.times(size);
      break;
    }
    return found;
  }
  found.size = wanted.given;
  found.exists = true;
  for (std::size_t at = 0; at < wanted.count; ++at) {
    if (wanted.sizes[at] == -1) continue;
    if (found.size.divide(static_cast<Limb>(wanted.sizes[at])) != 0) found.exists = false;
  }
  return found;
}

const char* check_sizes(const Wanted& wanted, std::span<const std::optional<std::int64_t>> sizes) {
  if (sizes.size() != wanted.count) return "a shape of another rank than the pattern";
  Natural asked;
  bool open = false;
  for (std::size_t at = 0; at < wanted.count; ++at) {
    if (!sizes[at]) {
      if (wanted.sizes[at] != -1) return "a size is left open that the pattern names";
      open = true;
      continue;
    }
    if (*sizes[at] < 0) return "a size below 0";
    if (wanted.sizes[at] != -1 && wanted.sizes[at] != *sizes[at]) {
      return "a size that the pattern does not name";
    }
    asked.times(static_cast<Limb>(*sizes[at]));
  }
  if (open) {
    const bool any = asked.is_zero() && wanted.given.is_zero();
    return any ? nullptr : "a size is left open although the count determines it";
  }
  return asked == wanted.given ? nullptr : "a shape with another count";
}

const char* check_volume_refusal(const Wanted& wanted, bool read_well) {
  if (!read_well) return "a volume is refused, where a value is no size";
  if (wanted.inferred > 1) return "a volume is refused, where two sizes are left out";
  if (wanted.inferred == 0) {
    return wanted.known == wanted.given ? "a volume is refused that is kept" : nullptr;
  }
  if (wanted.known.is_zero()) {
    return wanted.given.is_zero() ? "a volume is refused that any size keeps" : nullptr;
  }
  return only_size(wanted).exists ? "a volume is refused that some size keeps" : nullptr;
}

const char* check_representable(const reference::Question& question, const Wanted& wanted,
                                bool read_well) {
  if (!read_well) {
    for (const PatternValue value : question.pattern.values) {
      if (value > PatternValue{kLargest}) return nullptr;
    }
    return "no value is too large to be a size";
  }
  if (wanted.inferred != 1 || wanted.known.is_zero()) return "nothing is inferred";
  const Inferred inferred = only_size(wanted);
  const std::optional<Limb> size = inferred.size.small();
  return inferred.exists && (!size || *size > kLargest) ? nullptr : "the inferred size is a size";
}

const char* check_shape(const Wanted& wanted, bool read_well,
                        std::span<const std::optional<std::int64_t>> sizes) {
  if (!read_well) return "a shape from a value that is no size";
  if (wanted.inferred > 1) return "a shape, although two sizes are left out";
  return check_sizes(wanted, sizes);
}

}  // namespace

const char* wrong_by_counting(const Dialect& dialect, const reference::Question& question,
                              const Ruling& ruling) {
  Wanted wanted;
  const bool read_well = read(dialect, question, wanted);
  switch (ruling.kind) {
    case Ruling::Kind::produces: {
      std::array<std::optional<std::int64_t>, 64> sizes;
      const std::size_t rank = std::min(sizes.size(), ruling.shape.rank());
      std::copy_n(ruling.shape.begin(), rank, sizes.begin());
      if (const char* wrong = check_shape(wanted, read_well, std::span(sizes).first(rank))) {
        return wrong;
      }
      if (wanted.inferred == 1 && wanted.known.is_zero()) return "any size keeps the count";
      return nullptr;
    }
    case Ruling::Kind::unspecified:
      if (!ruling.may_reject || ruling.permitted.size() != 1)
        return "an open point of another form";
      if (ruling.clause == "volume.beyond-int64") {
        const std::optional<Limb> count = wanted.given.small();
        if (count && *count <= kLargest) return "the count is not beyond 63 bits";
      }
      return check_shape(wanted, read_well, ruling.permitted.front().sizes);
    case Ruling::Kind::rejects:
      if (ruling.clause == "volume.kept" || ruling.clause == "minus-one.divides") {
        return check_volume_refusal(wanted, read_well);
      }
      if (ruling.clause == "size.representable") {
        return check_representable(question, wanted, read_well);
      }
      if (ruling.clause == "minus-one.once") {
        const auto& values = question.pattern.values;
        const auto negative = [](PatternValue value) { return value < 0; };
        return std::count_if(values.begin(), values.end(), negative) > 1 ? nullptr
                                                                         : "one -1 at most";
      }
      return nullptr;
  }
  return nullptr;
}

}  // namespace reshape::fuzz
