#include "conformance/property/layouts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace reshape::conformance {
namespace {

// The largest span of a tensor with gaps, in elements.
constexpr std::int64_t kLargestSpan = std::int64_t{1} << 20;

// Dense strides of `shape` with the axes in the given order in memory, outermost first.
Strides laid(const Shape& shape, const std::vector<std::size_t>& order) {
  Strides strides(shape.rank());
  std::int64_t step = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = step;
    step *= std::max<std::int64_t>(shape[order[i]], 1);
  }
  return strides;
}

std::vector<std::size_t> row_major_order(std::size_t rank) {
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

std::vector<std::size_t> shuffled_order(std::size_t rank, Choices& choices) {
  std::vector<std::size_t> order = row_major_order(rank);
  for (std::size_t i = rank; i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(choices.below(i))]);
  }
  return order;
}

// Round numbers at which blocks, rows and pages of implementations end, and their neighbours.
constexpr std::array<std::int64_t, 26> kRoundSteps = {5,   7,   9,   10,  12,  15,  16,  17,  24,
                                                      31,  32,  33,  48,  63,  64,  65,  96,  100,
                                                      127, 128, 129, 255, 256, 257, 512, 1024};

// The same with gaps behind axes: mostly of few elements, some so that the next stride is a round
// number. Of many axes only some get one: with gaps everywhere a high rank would be as large as
// 3^64.
Strides laid_with_gaps(const Shape& shape, const std::vector<std::size_t>& order,
                       Choices& choices) {
  constexpr std::size_t kFewAxes = 6;
  const bool few = order.size() <= kFewAxes;
  Strides strides(shape.rank());
  std::int64_t step = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    if (step == 1 && choices.chance(12)) step = choices.one_of(kRoundSteps);
    strides[order[i]] = step;
    const std::int64_t size = std::max<std::int64_t>(shape[order[i]], 1);
    step *= size;
    if (!few && choices.below(order.size()) >= 4) continue;
    const std::int64_t round = choices.one_of(kRoundSteps);
    if (round > step && choices.chance(25)) {
      step = round;
    } else {
      step += step / size * choices.between(0, 3);
    }
  }
  return strides;
}

Placement permuted(const Shape& shape, Choices& choices) {
  return {laid(shape, shuffled_order(shape.rank(), choices))};
}

Placement padded(const Shape& shape, Choices& choices) {
  Placement drawn{laid_with_gaps(shape, row_major_order(shape.rank()), choices)};
  drawn.offset = choices.between(0, 4);
  return drawn;
}

Placement gapped(const Shape& shape, Choices& choices) {
  Placement drawn{laid_with_gaps(shape, shuffled_order(shape.rank(), choices), choices)};
  drawn.offset = choices.between(0, 4);
  return drawn;
}

Placement sliced(const Shape& shape, Choices& choices) {
  Placement drawn{laid(shape, row_major_order(shape.rank()))};
  const std::int64_t step = choices.between(2, 3);
  for (std::int64_t& stride : drawn.strides) stride *= step;
  drawn.offset = choices.between(0, step - 1);
  return drawn;
}

// Lets the axis run backwards over the same places.
void mirror(Placement& drawn, const Shape& shape, std::size_t axis) {
  drawn.offset += (std::max<std::int64_t>(shape[axis], 1) - 1) * drawn.strides[axis];
  drawn.strides[axis] = -drawn.strides[axis];
}

Placement reversed(const Shape& shape, Choices& choices) {
  Placement drawn = choices.chance(50) ? padded(shape, choices) : gapped(shape, choices);
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (choices.chance(50)) mirror(drawn, shape, axis);
  }
  return drawn;
}

Placement broadcast(const Shape& shape, Choices& choices) {
  Placement drawn{laid(shape, row_major_order(shape.rank()))};
  for (std::int64_t& stride : drawn.strides) {
    if (choices.chance(50)) stride = 0;
  }
  return drawn;
}

// Any order of axes with gaps, some axes backwards and some repeated.
Placement mixed(const Shape& shape, Choices& choices) {
  Placement drawn = gapped(shape, choices);
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    switch (choices.below(4)) {
      case 0: mirror(drawn, shape, axis); break;
      case 1: drawn.strides[axis] = 0; break;
      default: break;
    }
  }
  return drawn;
}

struct Kind {
  std::string_view name;
  Placement (*draw)(const Shape&, Choices&);
  bool negative = false;
};

constexpr std::array kDataKinds = {
    Kind{"permuted", permuted}, Kind{"padded", padded},       Kind{"gapped", gapped},
    Kind{"sliced", sliced},     Kind{"broadcast", broadcast}, Kind{"reversed", reversed, true},
    Kind{"mixed", mixed, true},
};
constexpr std::array kOutputKinds = {
    Kind{"permuted", permuted},
    Kind{"padded", padded},
    Kind{"gapped", gapped},
    Kind{"reversed", reversed, true},
};

// Strides the outermost axis of size above 1 so that the last element lies `bytes` behind the
// first. Nothing where there is no such axis, or there are too many elements.
std::optional<Placement> far_apart(const Shape& shape, int width, std::int64_t bytes,
                                   Choices& choices) {
  constexpr std::int64_t kFew = 4096;
  const std::optional<std::int64_t> count = element_count(shape);
  if (!count || *count < 2 || *count > kFew) return std::nullopt;
  Placement drawn{laid(shape, row_major_order(shape.rank()))};
  std::size_t axis = 0;
  while (shape[axis] == 1) ++axis;
  drawn.strides[axis] = bytes / (shape[axis] - 1) * 8 / width + choices.between(0, 999);
  // For packed types every row starts at a whole byte.
  drawn.strides[axis] += drawn.strides[axis] % 2;
  return drawn;
}

// A layout that spans more than 2^31 or 2^32 bytes, on one side.
std::string_view draw_sparse(Request& request, const Shape& output,
                             const LayoutAbilities& abilities, Choices& choices) {
  const bool more = choices.chance(50);
  const std::int64_t bytes = std::int64_t{1} << (more ? 32 : 31);
  const int width = bits(request.data_type);
  const bool of_data = choices.chance(50);
  if (!(of_data ? abilities.strided_input : abilities.strided_output)) return {};
  const auto drawn = far_apart(of_data ? request.data : output, width, bytes, choices);
  if (!drawn) return {};
  (of_data ? request.strides : request.out_strides) = drawn->strides;
  return more ? "sparse-2^32" : "sparse-2^31";
}

// Rounds offsets of packed types up to whole bytes.
std::int64_t whole_bytes(std::int64_t offset, ElementType type) {
  return bits(type) < 8 ? offset + (offset & 1) : offset;
}

bool fits(const Shape& shape, const Placement& drawn) {
  const ElementRange range = touched({shape, drawn.strides, drawn.offset});
  return range.first >= 0 && range.last < kLargestSpan;
}

using NamedPlacement = std::pair<std::string_view, Placement>;

std::optional<NamedPlacement> draw_placement(std::span<const Kind> kinds, const Shape& shape,
                                             ElementType type, bool able,
                                             const LayoutAbilities& abilities, Choices& choices) {
  const Kind& kind = kinds[static_cast<std::size_t>(choices.below(kinds.size()))];
  if (!able || shape.rank() == 0 || (kind.negative && !abilities.negative_strides)) return {};
  Placement drawn = kind.draw(shape, choices);
  if (!fits(shape, drawn)) return {};
  drawn.offset = whole_bytes(drawn.offset, type);
  return std::pair(kind.name, std::move(drawn));
}

// The name of what was drawn; empty where the data stays dense.
std::string_view place_data(Request& request, const LayoutAbilities& abilities, Choices& choices) {
  auto drawn = draw_placement(kDataKinds, request.data, request.data_type, abilities.strided_input,
                              abilities, choices);
  if (!drawn) return {};
  request.strides = std::move(drawn->second.strides);
  request.offset = drawn->second.offset;
  return drawn->first;
}

constexpr const char* kDense = "dense";

}  // namespace

std::string draw_data_layout(Request& request, const LayoutAbilities& abilities, Choices& choices) {
  if (request.shape_only || choices.chance(50)) return kDense;
  const std::string_view name = place_data(request, abilities, choices);
  return name.empty() ? kDense : std::string(name);
}

std::string draw_layout(Request& request, const Shape& output, const LayoutAbilities& abilities,
                        Choices& choices) {
  if (request.shape_only || choices.chance(25)) return kDense;
  if (abilities.sparse && choices.chance(4)) {
    const std::string_view sparse = draw_sparse(request, output, abilities, choices);
    return sparse.empty() ? kDense : std::string(sparse);
  }
  // One side, the other, or both.
  const std::uint64_t sides = choices.below(3);
  std::string name;
  if (sides != 1) name = place_data(request, abilities, choices);
  if (sides != 0) {
    if (auto drawn = draw_placement(kOutputKinds, output, request.data_type,
                                    abilities.strided_output, abilities, choices)) {
      name.append(name.empty() ? "to " : " to ").append(drawn->first);
      request.out_strides = std::move(drawn->second.strides);
      request.out_offset = drawn->second.offset;
    }
  }
  return name.empty() ? kDense : name;
}

std::string lay_out(Request& request, const std::optional<Placement>& data,
                    const std::optional<Placement>& output, const LayoutAbilities& abilities) {
  const auto admitted = [&abilities](const std::optional<Placement>& side, bool strided) {
    return side && strided &&
           (abilities.negative_strides ||
            std::all_of(side->strides.begin(), side->strides.end(),
                        [](std::int64_t stride) { return stride >= 0; }));
  };
  std::string name;
  if (admitted(data, abilities.strided_input)) {
    name = "copy";
    request.strides = data->strides;
    request.offset = whole_bytes(data->offset, request.data_type);
  }
  if (admitted(output, abilities.strided_output)) {
    name.append(name.empty() ? "to copy" : " to copy");
    request.out_strides = output->strides;
    request.out_offset = whole_bytes(output->offset, request.data_type);
  }
  return name.empty() ? kDense : name;
}

}  // namespace reshape::conformance
