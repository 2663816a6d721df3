#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "reference/tensor/dialect.h"
#include "reference/tensor/element_type.h"
#include "reference/tensor/shape_pattern.h"

namespace reshape::optimized {

// The clauses that an answer can name, in the order in which they are asked.
enum class Clause : std::uint8_t {
  none,
  data_type,
  data_type_open,
  special_zero_required,
  pattern_type,
  pattern_one_dimensional,
  pattern_values,
  minus_one_not_a_value,
  minus_one_once,
  zero_past_rank,
  size_representable,
  zero_with_minus_one,
  minus_one_beside_copied_zero,
  minus_one_divides,
  volume_kept,
  volume_beyond_int64,
  pattern_empty,
  data_scalar,
};
const char* id(Clause clause);  // "zero.past-rank"; "" for none

// What a caller asks: nothing is owned. `Value` is int64_t, or PatternValue where values of a u64
// pattern may be above 2^63-1.
template <typename Value>
struct Asked {
  ElementType data_type = ElementType::f32;
  std::span<const std::int64_t> data;  // sizes, none below 0
  ElementType pattern_type = ElementType::i64;
  std::span<const Value> pattern;  // row-major, whatever the rank of the pattern tensor
  std::int32_t pattern_rank = 1;
  std::optional<bool> special_zero;  // absent: not given
};

struct Resolved {
  enum class Kind : std::uint8_t { produces, rejects, open };
  static constexpr std::int32_t kNone = -1;

  Kind kind = Kind::rejects;
  Clause clause = Clause::none;  // rejects: the broken one; open: the one that leaves it open
  // open: whether this implementation produces the shape (or rejects, which is permitted as well).
  bool takes = false;
  // open: the index of the size that nothing determines, which is written as -1; else kNone.
  std::int32_t open_size = kNone;

  bool gives_shape() const { return kind == Kind::produces || takes; }
};

// Applies every rule in its order, whatever the request. Arguments and result as for resolve().
Resolved resolve_by_every_rule(const Dialect& dialect, const Asked<std::int64_t>& asked,
                               std::span<std::int64_t> sizes);
Resolved resolve_by_every_rule(const Dialect& dialect, const Asked<PatternValue>& asked,
                               std::span<std::int64_t> sizes);

// The fast path: answers the usual request in one pass. That is data with elements and at least one
// axis, and a pattern of plain sizes, copying zeros and at most one -1, with nothing open and
// nothing refused. False for anything else; resolve_by_every_rule() then decides.
template <typename Value>
[[gnu::always_inline]] inline bool produces_plainly(const Dialect& dialect,
                                                    const Asked<Value>& asked,
                                                    std::span<std::int64_t> sizes) {
  if (!dialect.data_types.contains(asked.data_type) ||
      !dialect.pattern_types.contains(asked.pattern_type) || asked.pattern_rank != 1 ||
      asked.data.empty() || asked.pattern.empty() || !asked.special_zero) {
    return false;
  }
  const bool zero_copies =
      dialect.zero == ZeroRule::by_flag ? *asked.special_zero : dialect.zero == ZeroRule::copies;
  std::int64_t count = 1;
  for (const std::int64_t size : asked.data) {
    if (__builtin_mul_overflow(count, size, &count)) [[unlikely]]
      return false;
  }
  if (count == 0) return false;

  constexpr std::size_t kNowhere = ~std::size_t{0};
  std::size_t minus_one_at = kNowhere;
  std::int64_t known = 1;
  const std::size_t copyable = zero_copies ? asked.data.size() : 0;
  for (std::size_t at = 0; at < asked.pattern.size(); ++at) {
    const Value value = asked.pattern[at];
    auto size = static_cast<std::int64_t>(value);
    if constexpr (sizeof(Value) > sizeof(size)) {
      // Values that do not fit into 64 bits are unusual; the rest of the loop needs the low half
      // only.
      if (static_cast<std::int64_t>(value >> 64) != size >> 63) [[unlikely]]
        return false;
    }
    if (size <= 0) {
      if (size == 0 && at < copyable) {
        // clause: zero.copies
        size = asked.data[at];
      } else if (size == -1 && minus_one_at == kNowhere &&
                 dialect.minus_one == MinusOne::inferred) {
        minus_one_at = at;
        size = 1;
      } else {
        return false;
      }
    }
    if (__builtin_mul_overflow(known, size, &known)) [[unlikely]]
      return false;
    sizes[at] = size;
  }

  // clause: volume.kept
  if (minus_one_at == kNowhere) return known == count;
  // clause: minus-one.inferred
  std::int64_t inferred = 0;
  if (((count | known) >> 32) == 0) {
    // A 32-bit division is several times as fast on many processors.
    inferred = static_cast<std::uint32_t>(count) / static_cast<std::uint32_t>(known);
  } else {
    inferred = count / known;
  }
  sizes[minus_one_at] = inferred;
  return inferred * known == count;
}

// Writes the sizes of the output into the first pattern.size() entries of `sizes` (unspecified
// after a rejection). Precondition: sizes.size() >= pattern.size(). A refusal wins over an open
// point; of several clauses the first in the order of Clause is named. Products are exact at every
// size. Allocates nothing, unless the data holds more than 2^4096 elements.
template <typename Value>
[[gnu::always_inline]] inline Resolved resolve(const Dialect& dialect, const Asked<Value>& asked,
                                               std::span<std::int64_t> sizes) {
  if (produces_plainly(dialect, asked, sizes)) [[likely]] {
    return {.kind = Resolved::Kind::produces};
  }
  return resolve_by_every_rule(dialect, asked, sizes);
}

}  // namespace reshape::optimized
