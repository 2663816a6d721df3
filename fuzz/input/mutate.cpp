#include "fuzz/input/mutate.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "conformance/property/generator.h"
#include "fuzz/input/askable.h"
#include "fuzz/input/bytes.h"
#include "fuzz/input/decode.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::fuzz {
namespace {

using conformance::Choices;
using conformance::Payload;
using conformance::Request;
using Sizes = std::vector<std::int64_t>;

Sizes sizes_of(const Shape& shape) { return {shape.begin(), shape.end()}; }

// A random index below `count`.
std::size_t place(std::size_t count, Choices& choices) {
  return static_cast<std::size_t>(choices.below(count));
}

std::int64_t any_size(Choices& choices) {
  if (choices.below(4) != 0) return choices.between(0, 9);
  const PatternValue border = choices.one_of(borders());
  const auto low = static_cast<std::int64_t>(border & std::numeric_limits<std::int64_t>::max());
  return choices.chance(50) ? low : static_cast<std::int64_t>(choices.below(70));
}

PatternValue any_value(const Request& request, Choices& choices) {
  switch (choices.below(6)) {
    case 0: return -1;
    case 1: return 0;
    case 2:
      if (request.data.rank() != 0) return request.data[place(request.data.rank(), choices)];
      return 1;
    case 3: return choices.one_of(borders());
    default: return choices.between(-2, 12);
  }
}

// --- the data's axes -----------------------------------------------------------------------------

void insert_axis(Request& request, Choices& choices) {
  Sizes sizes = sizes_of(request.data);
  if (sizes.size() >= kMostAxes) return;
  const std::size_t at = place(sizes.size() + 1, choices);
  sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(at),
               choices.chance(60) ? 1 : any_size(choices));
  request.data = Shape(std::move(sizes));
  request.strides.reset();
}

void erase_axis(Request& request, Choices& choices) {
  if (request.data.rank() == 0) return;
  Sizes sizes = sizes_of(request.data);
  sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(place(sizes.size(), choices)));
  request.data = Shape(std::move(sizes));
  request.strides.reset();
}

void change_size(Request& request, Choices& choices) {
  if (request.data.rank() == 0) return;
  Sizes sizes = sizes_of(request.data);
  std::int64_t& size = sizes[place(sizes.size(), choices)];
  size = choices.chance(50) ? any_size(choices) : size ^ static_cast<std::int64_t>(1);
  request.data = Shape(std::move(sizes));
}

// One axis becomes two, or two become one: the volume stays.
void split_axis(Request& request, Choices& choices) {
  if (request.data.rank() == 0 || request.data.rank() >= kMostAxes) return;
  Sizes sizes = sizes_of(request.data);
  const std::size_t at = place(sizes.size(), choices);
  const auto factor = static_cast<std::int64_t>(2 + choices.below(7));
  if (sizes[at] % factor != 0) return;
  sizes[at] /= factor;
  sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(at), factor);
  request.data = Shape(std::move(sizes));
  request.strides.reset();
}

void merge_values(Request& request, Choices& choices) {
  std::vector<PatternValue>& values = request.pattern.values;
  if (values.size() < 2) return;
  const std::size_t at = place(values.size() - 1, choices);
  if (values[at] < 1 || values[at + 1] < 1) return;
  constexpr PatternValue kMost = std::numeric_limits<std::uint64_t>::max();
  if (values[at] > kMost / values[at + 1]) return;
  values[at] *= values[at + 1];
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(at + 1));
}

void split_value(Request& request, Choices& choices) {
  std::vector<PatternValue>& values = request.pattern.values;
  if (values.empty() || values.size() >= kMostAxes) return;
  const std::size_t at = place(values.size(), choices);
  const PatternValue factor = PatternValue{2} + choices.below(7);
  if (values[at] < 1 || values[at] % factor != 0) return;
  values[at] /= factor;
  values.insert(values.begin() + static_cast<std::ptrdiff_t>(at), factor);
}

void move_axis(Request& request, Choices& choices) {
  Sizes sizes = sizes_of(request.data);
  if (sizes.size() < 2) return;
  std::swap(sizes[place(sizes.size(), choices)], sizes[place(sizes.size(), choices)]);
  request.data = Shape(std::move(sizes));
}

// --- the pattern ---------------------------------------------------------------------------------

void change_value(Request& request, Choices& choices) {
  if (request.pattern.values.empty()) return;
  PatternValue& value = request.pattern.values[place(request.pattern.values.size(), choices)];
  value = choices.chance(70) ? any_value(request, choices) : value + choices.between(-1, 1);
}

void insert_value(Request& request, Choices& choices) {
  std::vector<PatternValue>& values = request.pattern.values;
  if (values.size() >= kMostAxes) return;
  const PatternValue value = choices.chance(50) ? 1 : any_value(request, choices);
  values.insert(values.begin() + static_cast<std::ptrdiff_t>(place(values.size() + 1, choices)),
                value);
}

void erase_value(Request& request, Choices& choices) {
  std::vector<PatternValue>& values = request.pattern.values;
  if (values.empty()) return;
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(place(values.size(), choices)));
}

// Makes the pattern the shape of the data, or that shape with one -1 or 0 in it.
void ask_the_same(Request& request, Choices& choices) {
  request.pattern.values.assign(request.data.begin(), request.data.end());
  request.pattern.tensor_shape.reset();
  if (request.pattern.values.empty()) return;
  const std::size_t at = place(request.pattern.values.size(), choices);
  const std::uint64_t special = choices.below(3);
  if (special != 2) request.pattern.values[at] = special == 0 ? PatternValue{-1} : 0;
}

// Multiplies a size on both sides by the same factor, so that equal volumes stay equal.
void scale_both(Request& request, Choices& choices) {
  if (request.data.rank() == 0 || request.pattern.values.empty()) return;
  Sizes sizes = sizes_of(request.data);
  std::int64_t& size = sizes[place(sizes.size(), choices)];
  PatternValue& value = request.pattern.values[place(request.pattern.values.size(), choices)];
  const bool huge = choices.chance(20);
  const std::int64_t factor = huge ? std::int64_t{1} << (16 + choices.below(40))
                                   : static_cast<std::int64_t>(2 + choices.below(15));
  if (value < 1 || __builtin_mul_overflow(size, factor, &size)) return;
  if (value > std::numeric_limits<std::int64_t>::max() / factor) return;
  value *= factor;
  request.data = Shape(std::move(sizes));
}

void pattern_tensor(Request& request, Choices& choices) {
  const auto count = static_cast<std::int64_t>(request.pattern.values.size());
  switch (choices.below(4)) {
    case 0: request.pattern.tensor_shape = Shape{1, count}; break;
    case 1: request.pattern.tensor_shape = Shape{count, 1}; break;
    case 2: request.pattern.tensor_shape = Shape{}; break;
    default: request.pattern.tensor_shape.reset();
  }
}

// --- layouts -------------------------------------------------------------------------------------

// Strides without overlap in any order of the axes, some of them with gaps.
template <typename SizeAt>
Strides any_strides(std::size_t rank, SizeAt size_at, Choices& choices) {
  std::array<std::uint8_t, kMostAxes> order;
  for (std::size_t i = 0; i < rank; ++i) order[i] = static_cast<std::uint8_t>(i);
  if (choices.chance(60)) {
    for (std::size_t i = rank; i > 1; --i) std::swap(order[i - 1], order[place(i, choices)]);
  }
  Strides strides(rank);
  std::int64_t step = choices.chance(20) ? choices.between(2, 3) : 1;
  for (std::size_t i = rank; i-- > 0;) {
    strides[order[i]] = step;
    const std::int64_t longer = choices.chance(30) ? choices.between(1, 5) : 0;
    const std::int64_t length = std::clamp<std::int64_t>(size_at(order[i]), 1, kMostBytes);
    if (__builtin_mul_overflow(step, length + longer, &step)) {
      step = 1;
    }
  }
  return strides;
}

void spoil_stride(Strides& strides, bool broadcast, Choices& choices) {
  if (strides.empty()) return;
  std::int64_t& stride = strides[place(strides.size(), choices)];
  switch (choices.below(4)) {
    case 0: stride = stride == std::numeric_limits<std::int64_t>::min() ? 1 : -stride; break;
    case 1: stride = broadcast ? 0 : stride; break;
    case 2: stride = choices.between(-8, 40); break;
    default: std::swap(stride, strides[place(strides.size(), choices)]);
  }
}

void change_data_layout(Request& request, Choices& choices) {
  request.shape_only = false;
  if (!request.strides || choices.chance(50)) {
    request.strides = any_strides(
        request.data.rank(), [&](std::size_t axis) { return request.data[axis]; }, choices);
    request.offset = choices.between(0, 4);
  }
  if (choices.chance(40)) spoil_stride(*request.strides, true, choices);
}

void change_output_layout(Request& request, Choices& choices) {
  const std::vector<PatternValue>& values = request.pattern.values;
  // The size behind a -1 or a 0 is not known here; the largest size of the data is mostly enough.
  std::int64_t most = 1;
  for (const std::int64_t size : request.data) most = std::max(most, size);
  if (!request.out_strides || choices.chance(50)) {
    request.out_strides = any_strides(
        values.size(),
        [&](std::size_t at) {
          return values[at] > 0 && values[at] <= kMostBytes ? static_cast<std::int64_t>(values[at])
                                                            : std::min(most, kMostBytes);
        },
        choices);
    request.out_offset = choices.between(0, 4);
  }
  if (choices.chance(30)) spoil_stride(*request.out_strides, false, choices);
}

void plain_layout(Request& request, Choices& choices) {
  if (choices.chance(50)) request.strides.reset();
  if (choices.chance(50)) request.out_strides.reset();
  request.in_place = false;
}

void change_offset(Request& request, Choices& choices) {
  (choices.chance(50) ? request.offset : request.out_offset) = choices.between(0, 9);
}

// --- words ---------------------------------------------------------------------------------------

void change_dialect(Request& request, Choices& choices) {
  request.dialect = choices.one_of(declared_dialects()).name;
}
void change_data_type(Request& request, Choices& choices) {
  request.data_type = choices.one_of(kAllElementTypes);
}
void change_pattern_type(Request& request, Choices& choices) {
  request.pattern.type = choices.chance(60) ? ElementType::i64 : choices.one_of(kAllElementTypes);
}
void change_flag(Request& request, Choices& choices) {
  request.special_zero.reset();
  if (choices.below(5) != 0) request.special_zero = choices.chance(50);
}
void change_payload(Request& request, Choices& choices) {
  request.elements.reset();
  request.payload.reset();
  if (choices.chance(70)) request.payload = static_cast<Payload>(choices.below(3));
}
void change_plane(Request& request, Choices& choices) {
  if (choices.chance(50)) {
    request.in_place = !request.in_place;
  } else {
    request.shape_only = !request.shape_only;
  }
}

void draw_anew(Request& request, Choices& choices) {
  request = conformance::generate(*declared_dialect(request.dialect), {}, choices).request;
}

using Mutation = void (*)(Request&, Choices&);
// Useful mutations are listed more than once, which makes them more likely.
constexpr std::array<Mutation, 32> kMutations = {
    insert_axis,          erase_axis,          change_size,        change_size,
    split_axis,           split_axis,          merge_values,       split_value,
    split_value,          move_axis,           change_value,       change_value,
    change_value,         change_value,        insert_value,       erase_value,
    ask_the_same,         ask_the_same,        scale_both,         scale_both,
    pattern_tensor,       change_data_layout,  change_data_layout, change_output_layout,
    change_output_layout, plain_layout,        change_offset,      change_dialect,
    change_data_type,     change_pattern_type, change_flag,        change_payload,
};

}  // namespace

void mutate(Request& request, Choices& choices) {
  const std::uint64_t rare = choices.below(512);
  if (rare == 0) {
    draw_anew(request, choices);
  } else if (rare < 12) {
    change_plane(request, choices);
  } else {
    for (std::uint64_t changes = 1 + choices.below(3); changes > 0; --changes) {
      choices.one_of(kMutations)(request, choices);
    }
  }
  make_askable(request);
}

void cross_over(Request& request, const Request& other, Choices& choices) {
  const auto take = [&choices] { return choices.below(2) != 0; };
  if (take()) {
    request.data = other.data;
    request.strides = other.strides;
    request.offset = other.offset;
    request.elements = other.elements;
  }
  if (take()) {
    request.pattern = other.pattern;
    request.out_strides = other.out_strides;
    request.out_offset = other.out_offset;
  }
  if (take()) request.special_zero = other.special_zero;
  if (take()) request.data_type = other.data_type;
  if (take()) request.dialect = other.dialect;
  if (take()) request.payload = other.payload;
  request.shape_only = request.shape_only && other.shape_only;
  request.in_place = request.in_place || other.in_place;
  make_askable(request);
}

}  // namespace reshape::fuzz
