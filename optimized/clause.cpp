#include "optimized/resolve.h"

namespace reshape::optimized {

const char* id(Clause clause) {
  switch (clause) {
    case Clause::none: return "";
    case Clause::data_type: return "data.type";
    case Clause::data_type_open: return "data.type-open";
    case Clause::special_zero_required: return "special-zero.required";
    case Clause::pattern_type: return "pattern.type";
    case Clause::pattern_one_dimensional: return "pattern.one-dimensional";
    case Clause::pattern_values: return "pattern.values";
    case Clause::minus_one_not_a_value: return "minus-one.not-a-value";
    case Clause::minus_one_once: return "minus-one.once";
    case Clause::zero_past_rank: return "zero.past-rank";
    case Clause::size_representable: return "size.representable";
    case Clause::zero_with_minus_one: return "zero.with-minus-one";
    case Clause::minus_one_beside_copied_zero: return "minus-one.beside-copied-zero";
    case Clause::minus_one_divides: return "minus-one.divides";
    case Clause::volume_kept: return "volume.kept";
    case Clause::volume_beyond_int64: return "volume.beyond-int64";
    case Clause::pattern_empty: return "pattern.empty";
    case Clause::data_scalar: return "data.scalar";
  }
  return "";
}

}  // namespace reshape::optimized
