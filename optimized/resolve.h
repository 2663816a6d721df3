#pragma once

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
  Clause clause = Clause::none;  // rejects: the broken one; open: the silent one
  // open: whether this implementation produces the shape (or rejects, which is permitted as well).
  bool takes = false;
  // open: the index of the size that nothing determines, which is written as -1; else kNone.
  std::int32_t open_size = kNone;

  bool gives_shape() const { return kind == Kind::produces || takes; }
};

// Writes the sizes of the output into the first pattern.size() entries of `sizes` (what they hold
// after a rejection means nothing). Precondition: sizes.size() >= pattern.size(). A refusal wins
// over an open point; of several clauses the first in the order of Clause is named. Products are
// exact at every size. Allocates nothing, unless the data holds more than 2^4096 elements.
Resolved resolve(const Dialect& dialect, const Asked<std::int64_t>& asked,
                 std::span<std::int64_t> sizes);
Resolved resolve(const Dialect& dialect, const Asked<PatternValue>& asked,
                 std::span<std::int64_t> sizes);

}  // namespace reshape::optimized
