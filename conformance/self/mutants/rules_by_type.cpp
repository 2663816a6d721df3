// Ways through the code for some types of data or of patterns, on which one rule was left out.
#include "conformance/self/mutant.h"
#include "conformance/self/overlook.h"

namespace reshape::conformance::self {
namespace {

bool wide(const Asked& asked) { return bits(asked.data_type) == 64; }
bool packed(const Asked& asked) { return bits(asked.data_type) == 4; }
bool of_bytes(const Asked& asked) { return bits(asked.data_type) == 8; }
bool unsigned_data(const Asked& asked) {
  return is_integer(asked.data_type) && !is_signed_integer(asked.data_type);
}

}  // namespace

MUTANT("past-rank-unseen-of-wide-data", Breaks("zero.past-rank"), Caught("shape", "shape"),
       On("openvino-reshape-1/past-rank-every-type.*"),
       Says("over data of 64 bits a copying 0 past the rank is let through as a 1")) {
  overlooks_where<past_rank_overlooked>(table, [](const Asked& asked) { return wide(asked); });
}

MUTANT("past-rank-unseen-of-unsigned-data", Breaks("zero.past-rank"), Caught("shape", "shape"),
       On("openvino-reshape-1/past-rank-every-type.*"),
       Says("over unsigned data a copying 0 past the rank is let through as a 1")) {
  overlooks_where<past_rank_overlooked>(table,
                                        [](const Asked& asked) { return unsigned_data(asked); });
}

MUTANT("past-rank-unseen-of-packed-data", Breaks("zero.past-rank"), Caught("shape", "shape"),
       On("openvino-reshape-1/past-rank-every-type.*"),
       Says("over data of 4 bits a copying 0 past the rank is let through as a 1")) {
  overlooks_where<past_rank_overlooked>(table, [](const Asked& asked) { return packed(asked); });
}

MUTANT("matrix-unseen-of-half-precision", Breaks("pattern.one-dimensional"),
       Caught("shape", "shape"), On("openvino-reshape-1/matrix-every-type.*"),
       Says("over f16 data a pattern of two dimensions is read row by row")) {
  overlooks_where<form_overlooked>(
      table, [](const Asked& asked) { return asked.data_type == ElementType::f16; });
}

MUTANT("matrix-unseen-of-integers", Breaks("pattern.one-dimensional"), Caught("shape", "shape"),
       On("openvino-reshape-1/matrix-every-type.*"),
       Says("over i32 and i64 data a pattern of two dimensions is read row by row")) {
  overlooks_where<form_overlooked>(table, [](const Asked& asked) {
    return asked.data_type == ElementType::i32 || asked.data_type == ElementType::i64;
  });
}

MUTANT("matrix-unseen-in-i32", Breaks("pattern.one-dimensional"), Caught("shape", "shape"),
       On("openvino-reshape-1/matrix-every-pattern.*"),
       Says("a pattern of two dimensions is refused as i64, and as i32 read row by row")) {
  overlooks_where<form_overlooked>(
      table, [](const Asked& asked) { return asked.pattern_type == ElementType::i32; });
}

MUTANT("matrix-unseen-in-unsigned", Breaks("pattern.one-dimensional"), Caught("shape", "shape"),
       On("openvino-reshape-1/matrix-every-pattern.*"),
       Says("a pattern of two dimensions and of an unsigned type is read row by row")) {
  overlooks_where<form_overlooked>(table, [](const Asked& asked) {
    return is_integer(asked.pattern_type) && !is_signed_integer(asked.pattern_type);
  });
}

MUTANT("scalar-pattern-unseen-in-i32", Breaks("pattern.one-dimensional"), Caught("shape", "shape"),
       On("openvino-reshape-1/scalar-pattern-every-pattern.*"),
       Says("a pattern of rank 0 is refused as i64, and as i32 taken as a list of one value")) {
  overlooks_where<form_overlooked>(table, [](const Asked& asked) {
    return asked.pattern_type == ElementType::i32 && asked.pattern_shape.rank() == 0;
  });
}

MUTANT("unrepresentable-unseen-of-packed-data", Breaks("size.representable"),
       Caught("shape", "shape"), On("openvino-reshape-1/u64-large-every-type.*"),
       Says("over data of 4 bits sizes are halved before they are held against 2^63-1")) {
  overlooks_where<large_size_overlooked>(table, [](const Asked& asked) { return packed(asked); });
}

MUTANT("unrepresentable-unseen-of-bytes", Breaks("size.representable"), Caught("shape", "shape"),
       On("openvino-reshape-1/u64-large-every-type.*"),
       Says("over data of one byte a u64 size above 2^63-1 is taken as 2^63-1")) {
  overlooks_where<large_size_overlooked>(table, [](const Asked& asked) { return of_bytes(asked); });
}

MUTANT("scalar-data-refused-by-i32-patterns", Breaks("data.scalar"), Caught("shape", "shape"),
       On("openvino-reshape-1/scalar-every-pattern.*"),
       Says("a scalar is reshaped by patterns of i64 alone")) {
  overlooks_where<plain_refusal>(table, [](const Asked& asked) {
    return asked.data.rank() == 0 && asked.pattern_type != ElementType::i64;
  });
}

MUTANT("scalar-data-refused-unless-f32", Breaks("data.scalar"), Caught("shape", "shape"),
       On("openvino-reshape-1/scalar-*"),
       Says("a scalar is reshaped where it is of 32 bits, and refused where it is not")) {
  overlooks_where<plain_refusal>(table, [](const Asked& asked) {
    return asked.data.rank() == 0 && bits(asked.data_type) != 32;
  });
}

MUTANT("missing-flag-is-false-for-i32-patterns", Breaks("special-zero.required"),
       Caught("shape", "shape"), On("openvino-reshape-1/flag-missing-every-pattern.*"),
       Says("a missing special_zero is false where the pattern is not of 64 bits")) {
  overlooks_where<missing_flag_overlooked>(
      table, [](const Asked& asked) { return bits(asked.pattern_type) != 64; });
}

MUTANT("remainder-forgotten-in-narrow-patterns", Breaks("minus-one.divides"),
       Caught("shape", "shape"), On("openvino-reshape-1/divides-every-pattern.*"),
       Says("patterns of 8 and 4 bits are divided in integers that know no remainder")) {
  overlooks_where<remainder_overlooked>(
      table, [](const Asked& asked) { return bits(asked.pattern_type) <= 8; });
}

MUTANT("empty-unseen-of-packed-data", Breaks("zero.empty-tensors"), Caught("shape", "shape"),
       On("openvino-reshape-1/zero-every-type.i4"),
       Says("data of 4 bits without elements is refused, since a byte holds at least one")) {
  overlooks_where<emptiness_overlooked>(table, [](const Asked& asked) { return packed(asked); });
}

}  // namespace reshape::conformance::self
