#include "optimized/resolve.h"

#include <limits>

#include "optimized/volume.h"

namespace reshape::optimized {

namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

// A product of sizes in 63 bits. A 0 is kept in a flag of its own, so that it neither hides an
// overflow of the other sizes nor is hidden by one.
struct Product {
  std::int64_t value = 1;
  bool overflows = false;
  bool has_zero = false;

  void times(std::int64_t size) { overflows |= __builtin_mul_overflow(value, size, &value); }
};

Product product_of(std::span<const std::int64_t> sizes) {
  Product product;
  for (const std::int64_t size : sizes) {
    if (size == 0) {
      product.has_zero = true;
    } else {
      product.times(size);
    }
  }
  return product;
}

// What one reading of the pattern, left to right, tells.
struct Reading {
  Product known;  // of all sizes but the -1
  std::int32_t minus_ones = 0;
  std::int32_t minus_one_at = Resolved::kNone;
  bool below_minus_one = false;
  bool zero_past_rank = false;
  bool too_large = false;
  bool literal_zero = false;
  bool copied_zero = false;
};

// Everything but a plain size above 0. Kept out of the loop, which is then small.
template <typename Value>
std::int64_t read_special(Value value, std::size_t at, bool zero_copies, ZeroPastRank past_rank,
                          std::span<const std::int64_t> data, Reading& reading) {
  if (value > 0) {
    reading.too_large = true;
    return kLargest;
  }
  if (value < 0) {
    if (value < -1) reading.below_minus_one = true;
    ++reading.minus_ones;
    reading.minus_one_at = static_cast<std::int32_t>(at);
    return -1;
  }
  std::int64_t size = 0;
  if (!zero_copies) {
    // clause: zero.literal
    reading.literal_zero = true;
  } else if (at < data.size()) {
    // clause: zero.copies
    size = data[at];
    if (size == 0) reading.copied_zero = true;
  } else if (past_rank == ZeroPastRank::one) {
    // clause: zero.past-rank-one
    size = 1;
  } else if (past_rank == ZeroPastRank::literal) {
    // clause: zero.past-rank-literal
    reading.literal_zero = true;
  } else {
    reading.zero_past_rank = true;
  }
  if (size == 0) {
    reading.known.has_zero = true;
  } else {
    reading.known.times(size);
  }
  return size;
}

template <typename Value>
Reading read(const Asked<Value>& asked, bool zero_copies, ZeroPastRank past_rank,
             std::span<std::int64_t> sizes) {
  Reading reading;
  for (std::size_t at = 0; at < asked.pattern.size(); ++at) {
    const Value value = asked.pattern[at];
    if (value > 0 && value <= Value{kLargest}) [[likely]] {
      const auto size = static_cast<std::int64_t>(value);
      sizes[at] = size;
      reading.known.times(size);
    } else {
      sizes[at] = read_special(value, at, zero_copies, past_rank, asked.data, reading);
    }
  }
  return reading;
}

Resolved rejects(Clause clause) { return {.kind = Resolved::Kind::rejects, .clause = clause}; }

// Compares the volumes exactly where the data's is above 2^63-1; rare enough to be slow. Gives the
// size of the -1 (0 where the pattern has none), or the broken clause. Precondition: no size is 0.
struct Balance {
  Clause broken = Clause::none;
  std::int64_t inferred = 0;
};
Balance balance_beyond_int64(std::span<const std::int64_t> data,
                             std::span<const std::int64_t> sizes, const Reading& reading) {
  const bool infers = reading.minus_ones == 1;
  Volume rest(data);
  for (const std::int64_t size : sizes) {
    if (size == -1) continue;
    if (!rest.divide(size)) return {infers ? Clause::minus_one_divides : Clause::volume_kept};
  }
  if (infers) {
    if (!rest.fits_int64()) return {Clause::size_representable};
    return {Clause::none, rest.as_int64()};
  }
  return {rest.is_one() ? Clause::none : Clause::volume_kept};
}

// Records an open clause. The first one is named; the shape is taken only if every open clause
// leaves it determined and its volume within 63 bits.
void leave_open(Resolved& answer, Clause clause, bool takes) {
  if (answer.kind == Resolved::Kind::open) {
    answer.takes = answer.takes && takes;
    return;
  }
  answer.kind = Resolved::Kind::open;
  answer.clause = clause;
  answer.takes = takes;
}

// Applies the dialect's answer: true to go on, or false with `refusal` set.
bool settle(Answer said, Clause clause, bool takes, Resolved& answer, Resolved& refusal) {
  if (said == Answer::rejects) {
    refusal = rejects(clause);
    return false;
  }
  if (said == Answer::unspecified) leave_open(answer, clause, takes);
  return true;
}

template <typename Value>
Resolved ask_every_rule(const Dialect& dialect, const Asked<Value>& asked,
                        std::span<std::int64_t> sizes) {
  Resolved answer{.kind = Resolved::Kind::produces};
  Resolved refusal;

  if (!dialect.data_types.contains(asked.data_type)) [[unlikely]] {
    // clause: data.type
    if (!dialect.data_types_unspecified.contains(asked.data_type))
      return rejects(Clause::data_type);
    // clause: data.type-open
    leave_open(answer, Clause::data_type_open, true);
  }

  bool zero_copies = dialect.zero == ZeroRule::copies;
  if (dialect.zero == ZeroRule::by_flag) {
    // clause: special-zero.required
    if (!asked.special_zero && dialect.flag_missing == MissingFlag::rejects) {
      return rejects(Clause::special_zero_required);
    }
    // clause: special-zero.default
    zero_copies = asked.special_zero.value_or(dialect.flag_missing == MissingFlag::copies);
  }

  // clause: pattern.type
  if (!dialect.pattern_types.contains(asked.pattern_type)) return rejects(Clause::pattern_type);

  // clause: pattern.one-dimensional
  if (asked.pattern_rank != 1 && dialect.pattern_given_as == PatternSource::tensor &&
      !settle(dialect.pattern_not_one_dimensional, Clause::pattern_one_dimensional, true, answer,
              refusal)) {
    return refusal;
  }

  const Product count = product_of(asked.data);
  const Reading reading = read(asked, zero_copies, dialect.zero_past_rank, sizes);

  const bool infers = dialect.minus_one == MinusOne::inferred;
  // clause: pattern.values
  if (reading.below_minus_one && !settle(infers ? dialect.values_below_minus_one : Answer::rejects,
                                         Clause::pattern_values, true, answer, refusal)) {
    return refusal;
  }
  // clause: minus-one.not-a-value
  if (reading.minus_ones > 0 && !infers) return rejects(Clause::minus_one_not_a_value);
  // clause: minus-one.once
  if (reading.minus_ones > 1) return rejects(Clause::minus_one_once);
  // clause: zero.past-rank
  if (reading.zero_past_rank) return rejects(Clause::zero_past_rank);
  // clause: size.representable
  if (reading.too_large) return rejects(Clause::size_representable);

  const bool beyond_int64 = count.overflows && !count.has_zero;
  if (reading.minus_ones == 1) {
    const auto at = static_cast<std::size_t>(reading.minus_one_at);
    if (reading.known.has_zero) {
      // clause: zero.with-minus-one
      if (reading.literal_zero) {
        if (dialect.literal_zero_with_minus_one == LiteralZeroWithMinusOne::rejects) {
          return rejects(Clause::zero_with_minus_one);
        }
        if (!count.has_zero) return rejects(Clause::volume_kept);
        leave_open(answer, Clause::zero_with_minus_one, false);
      }
      // clause: minus-one.beside-copied-zero
      if (reading.copied_zero &&
          !settle(dialect.minus_one_beside_copied_zero, Clause::minus_one_beside_copied_zero, false,
                  answer, refusal)) {
        return refusal;
      }
      answer.open_size = reading.minus_one_at;
    } else if (count.has_zero) {
      // clause: minus-one.inferred
      sizes[at] = 0;
    } else if (beyond_int64) [[unlikely]] {
      const Balance balance = balance_beyond_int64(asked.data, sizes, reading);
      if (balance.broken != Clause::none) return rejects(balance.broken);
      sizes[at] = balance.inferred;
    } else {
      // clause: minus-one.divides
      if (reading.known.overflows || count.value % reading.known.value != 0) {
        return rejects(Clause::minus_one_divides);
      }
      // clause: minus-one.inferred
      sizes[at] = count.value / reading.known.value;
    }
  } else if (beyond_int64) [[unlikely]] {
    if (reading.known.has_zero) return rejects(Clause::volume_kept);
    const Balance balance = balance_beyond_int64(asked.data, sizes, reading);
    if (balance.broken != Clause::none) return rejects(balance.broken);
  } else {
    // clause: volume.kept
    const bool kept = count.has_zero || reading.known.has_zero
                          ? count.has_zero == reading.known.has_zero
                          : !reading.known.overflows && count.value == reading.known.value;
    if (!kept) return rejects(Clause::volume_kept);
  }

  // clause: volume.beyond-int64
  if (beyond_int64 &&
      !settle(dialect.volume_beyond_int64, Clause::volume_beyond_int64, false, answer, refusal)) {
    return refusal;
  }
  // clause: pattern.empty
  if (sizes.empty() &&
      !settle(dialect.empty_pattern, Clause::pattern_empty, true, answer, refusal)) {
    return refusal;
  }
  // clause: data.scalar
  if (asked.data.empty() &&
      !settle(dialect.scalar_data, Clause::data_scalar, true, answer, refusal)) {
    return refusal;
  }
  return answer;
}

}  // namespace

Resolved resolve_by_every_rule(const Dialect& dialect, const Asked<std::int64_t>& asked,
                               std::span<std::int64_t> sizes) {
  return ask_every_rule(dialect, asked, sizes.first(asked.pattern.size()));
}

Resolved resolve_by_every_rule(const Dialect& dialect, const Asked<PatternValue>& asked,
                               std::span<std::int64_t> sizes) {
  return ask_every_rule(dialect, asked, sizes.first(asked.pattern.size()));
}

}  // namespace reshape::optimized
