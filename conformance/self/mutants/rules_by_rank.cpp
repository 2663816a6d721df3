// Ways through the code for data, or a pattern, of one rank, on which one rule was left out.
#include "conformance/self/mutant.h"
#include "conformance/self/overlook.h"

namespace reshape::conformance::self {
namespace {

template <Reading& Overlooked, std::size_t Rank>
void overlooks_over_data_of(reshape_plugin& table) {
  overlooks_where<Overlooked>(table, [](const Asked& asked) { return asked.data.rank() == Rank; });
}

template <Reading& Overlooked, std::size_t Rank>
void overlooks_over_data_above(reshape_plugin& table) {
  overlooks_where<Overlooked>(table, [](const Asked& asked) { return asked.data.rank() > Rank; });
}

template <Reading& Overlooked, std::size_t Length>
void overlooks_in_patterns_of(reshape_plugin& table) {
  overlooks_where<Overlooked>(table,
                              [](const Asked& asked) { return asked.pattern.size() == Length; });
}

// By how much the pattern is longer than the data's rank; negative where it is shorter.
std::ptrdiff_t growth(const Asked& asked) {
  return static_cast<std::ptrdiff_t>(asked.pattern.size()) -
         static_cast<std::ptrdiff_t>(asked.data.rank());
}

}  // namespace

MUTANT("remainder-forgotten-of-images", Breaks("minus-one.divides"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-rank-4-*"),
       Says("for data of 4 sizes the -1 is the quotient, whatever remains")) {
  overlooks_over_data_of<remainder_overlooked, 4>(table);
}

MUTANT("remainder-forgotten-above-rank-4", Breaks("minus-one.divides"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-rank-6-*"),
       Says("over data of more than 4 sizes the -1 is the quotient, whatever remains")) {
  overlooks_over_data_above<remainder_overlooked, 4>(table);
}

MUTANT("remainder-forgotten-in-patterns-of-6", Breaks("minus-one.divides"),
       Caught("shape", "shape"), On("openvino-reshape-1/pattern-of-6-*"),
       Says("in patterns of 6 values the -1 is the quotient, whatever remains")) {
  overlooks_in_patterns_of<remainder_overlooked, 6>(table);
}

MUTANT("remainder-forgotten-in-patterns-of-8", Breaks("minus-one.divides"),
       Caught("shape", "shape"), On("openvino-reshape-1/pattern-of-8-*"),
       Says("patterns of 8 values fill a vector, whose way knows no remainder")) {
  overlooks_in_patterns_of<remainder_overlooked, 8>(table);
}

MUTANT("second-minus-one-unseen-over-images", Breaks("minus-one.once"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-rank-4-*"),
       Says("over data of 4 sizes a second -1 is taken as 1")) {
  overlooks_over_data_of<second_minus_one_overlooked, 4>(table);
}

MUTANT("second-minus-one-unseen-in-patterns-of-5", Breaks("minus-one.once"),
       Caught("shape", "shape"), On("openvino-reshape-1/pattern-of-5-*"),
       Says("in patterns of 5 values, which take the way for volumes, a second -1 is taken as 1")) {
  overlooks_in_patterns_of<second_minus_one_overlooked, 5>(table);
}

MUTANT("second-minus-one-unseen-in-patterns-of-7", Breaks("minus-one.once"),
       Caught("shape", "shape"), On("openvino-reshape-1/pattern-of-7-*"),
       Says("in patterns of 7 values a second -1 is taken as 1")) {
  overlooks_in_patterns_of<second_minus_one_overlooked, 7>(table);
}

MUTANT("negative-unseen-over-images", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-rank-4-*"),
       Says("over data of 4 sizes a value below -1 counts as 1")) {
  overlooks_over_data_of<negative_overlooked, 4>(table);
}

MUTANT("negative-unseen-in-patterns-of-6", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/pattern-of-6-*"),
       Says("in patterns of 6 values one below -1 counts as 1")) {
  overlooks_in_patterns_of<negative_overlooked, 6>(table);
}

MUTANT("past-rank-unseen-over-rank-7", Breaks("zero.past-rank"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-rank-7-*"),
       Says("over data of 7 sizes a copying 0 past the rank is let through as a 1")) {
  overlooks_over_data_of<past_rank_overlooked, 7>(table);
}

MUTANT("past-rank-unseen-over-rank-9", Breaks("zero.past-rank"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-rank-9-*"),
       Says("over data of 9 sizes a copying 0 past the rank is let through as a 1")) {
  overlooks_over_data_of<past_rank_overlooked, 9>(table);
}

MUTANT("volume-unchecked-over-rank-5", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-rank-5-*"),
       Says("over data of 5 sizes the numbers of elements are not compared")) {
  overlooks_over_data_of<volume_overlooked, 5>(table);
}

MUTANT("volume-unchecked-over-rank-7", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-rank-7-*"),
       Says("over data of 7 sizes the numbers of elements are not compared")) {
  overlooks_over_data_of<volume_overlooked, 7>(table);
}

MUTANT("volume-unchecked-of-what-is-flattened", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-rank-?-wrong-*"),
       Says("where five sizes or more become fewer, the numbers of elements are not compared")) {
  overlooks_where<volume_overlooked>(table, [](const Asked& asked) { return growth(asked) < -4; });
}

MUTANT("empty-unseen-above-rank-4", Breaks("zero.empty-tensors"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-rank-5-*"),
       Says("data without elements is refused where it has more than 4 sizes")) {
  overlooks_over_data_above<emptiness_overlooked, 4>(table);
}

MUTANT("flag-unread-above-rank-5", Breaks("zero.literal"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-rank-6-*"),
       Says("over data of more than 5 sizes special_zero is taken for its opposite")) {
  overlooks_over_data_above<flag_overlooked, 5>(table);
}

MUTANT("flag-unread-where-much-is-flattened", Breaks("zero.copies"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-rank-6-*"),
       Says("where three sizes or more fall away special_zero is taken for its opposite")) {
  overlooks_where<flag_overlooked>(table, [](const Asked& asked) { return growth(asked) < -2; });
}

MUTANT("missing-flag-is-false-over-images", Breaks("special-zero.required"),
       Caught("shape", "shape"), On("openvino-reshape-1/data-rank-4-*"),
       Says("over data of 4 sizes a missing special_zero is taken as false")) {
  overlooks_over_data_of<missing_flag_overlooked, 4>(table);
}

MUTANT("scalar-of-four-ones-refused", Breaks("pattern.empty"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-rank-4-*"),
       Says("a scalar is made of up to 3 sizes of 1, and of 8, but not of 4")) {
  overlooks_where<plain_refusal>(
      table, [](const Asked& asked) { return asked.pattern.empty() && asked.data.rank() == 4; });
}

MUTANT("scalar-of-many-ones-refused", Breaks("pattern.empty"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-rank-9-*"),
       Says("a scalar is made of no more than 8 sizes of 1")) {
  overlooks_where<plain_refusal>(
      table, [](const Asked& asked) { return asked.pattern.empty() && asked.data.rank() > 8; });
}

MUTANT("scalar-to-four-ones-refused", Breaks("data.scalar"), Caught("shape", "shape"),
       On("openvino-reshape-1/pattern-of-4-*"),
       Says("a scalar becomes one size of 1, two, three or six, but not four")) {
  overlooks_where<plain_refusal>(table, [](const Asked& asked) {
    return asked.data.rank() == 0 && asked.pattern.size() == 4;
  });
}

MUTANT("scalar-to-many-ones-refused", Breaks("data.scalar"), Caught("shape", "shape"),
       On("openvino-reshape-1/pattern-of-8-*"),
       Says("a scalar becomes no more than 6 sizes of 1")) {
  overlooks_where<plain_refusal>(
      table, [](const Asked& asked) { return asked.data.rank() == 0 && asked.pattern.size() > 6; });
}

MUTANT("unrepresentable-unseen-in-patterns-of-3", Breaks("size.representable"),
       Caught("shape", "shape"), On("openvino-reshape-1/pattern-of-?-*"),
       Says("in patterns of three values or more a u64 size above 2^63-1 is taken as 2^63-1")) {
  overlooks_where<large_size_overlooked>(
      table, [](const Asked& asked) { return asked.pattern.size() > 2; });
}

MUTANT("matrix-unseen-over-images", Breaks("pattern.one-dimensional"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-rank-4-*"),
       Says("over data of 4 sizes a pattern of two dimensions is read row by row")) {
  overlooks_over_data_of<form_overlooked, 4>(table);
}

MUTANT("minus-ones-counted-in-8-bits", Breaks("minus-one.once"), Caught("shape", "shape"),
       On("openvino-reshape-1/25?-minus-ones*"),
       Says("how many -1 there are is counted in 8 bits, so that 257 of them are one")) {
  overlooks_where<second_minus_one_overlooked>(
      table, [](const Asked& asked) { return asked.minus_ones() % 256 == 1; });
}

}  // namespace reshape::conformance::self
