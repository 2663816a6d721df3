#include "conformance/property/layouts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace reshape::conformance {
namespace {

// A stretched tensor may take this much more room than a dense one, and no more than this in all.
constexpr std::int64_t kLargestSpan = std::int64_t{1} << 20;

struct Drawn {
  Strides strides;
  std::int64_t offset = 0;
};

// Strides of `shape` when the axes are laid in memory in `order` (outermost first), each axis
// `slack` elements longer than it has to be.
Strides laid(const Shape& shape, const std::vector<std::size_t>& order,
             const std::vector<std::int64_t>& slack) {
  Strides strides(shape.rank());
  std::int64_t step = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = step;
    step *= std::max<std::int64_t>(shape[order[i]], 1) + slack[order[i]];
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

std::vector<std::int64_t> no_slack(std::size_t rank) { return std::vector<std::int64_t>(rank, 0); }

// Of many axes only some get slack: with slack everywhere a high rank would be as large as 3^64.
std::vector<std::int64_t> some_slack(std::size_t rank, Choices& choices) {
  constexpr std::size_t kFewAxes = 6;
  std::vector<std::int64_t> slack = no_slack(rank);
  if (rank <= kFewAxes) {
    for (std::int64_t& extra : slack) extra = choices.between(0, 3);
  } else {
    for (int times = 0; times < 4; ++times) {
      slack[static_cast<std::size_t>(choices.below(rank))] = choices.between(0, 3);
    }
  }
  return slack;
}

Drawn permuted(const Shape& shape, Choices& choices) {
  return {laid(shape, shuffled_order(shape.rank(), choices), no_slack(shape.rank()))};
}

Drawn padded(const Shape& shape, Choices& choices) {
  Drawn drawn{laid(shape, row_major_order(shape.rank()), some_slack(shape.rank(), choices))};
  drawn.offset = choices.between(0, 4);
  return drawn;
}

Drawn gapped(const Shape& shape, Choices& choices) {
  Drawn drawn{
      laid(shape, shuffled_order(shape.rank(), choices), some_slack(shape.rank(), choices))};
  drawn.offset = choices.between(0, 4);
  return drawn;
}

Drawn sliced(const Shape& shape, Choices& choices) {
  Drawn drawn{laid(shape, row_major_order(shape.rank()), no_slack(shape.rank()))};
  const std::int64_t step = choices.between(2, 3);
  for (std::int64_t& stride : drawn.strides) stride *= step;
  drawn.offset = choices.between(0, step - 1);
  return drawn;
}

Drawn reversed(const Shape& shape, Choices& choices) {
  Drawn drawn = padded(shape, choices);
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (!choices.chance(50)) continue;
    drawn.offset += (std::max<std::int64_t>(shape[axis], 1) - 1) * drawn.strides[axis];
    drawn.strides[axis] = -drawn.strides[axis];
  }
  return drawn;
}

Drawn broadcast(const Shape& shape, Choices& choices) {
  Drawn drawn{laid(shape, row_major_order(shape.rank()), no_slack(shape.rank()))};
  for (std::int64_t& stride : drawn.strides) {
    if (choices.chance(50)) stride = 0;
  }
  return drawn;
}

// Any order of axes, with slack, some axes backwards and some repeated.
Drawn mixed(const Shape& shape, Choices& choices) {
  Drawn drawn = gapped(shape, choices);
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    switch (choices.below(4)) {
      case 0:
        drawn.offset += (std::max<std::int64_t>(shape[axis], 1) - 1) * drawn.strides[axis];
        drawn.strides[axis] = -drawn.strides[axis];
        break;
      case 1: drawn.strides[axis] = 0; break;
      default: break;
    }
  }
  return drawn;
}

struct Kind {
  std::string_view name;
  Drawn (*data)(const Shape&, Choices&);
  Drawn (*output)(const Shape&, Choices&);
  bool negative = false;
};

constexpr std::array kKinds = {
    Kind{"permuted", permuted, nullptr},
    Kind{"padded", padded, nullptr},
    Kind{"gapped", gapped, nullptr},
    Kind{"sliced", sliced, nullptr},
    Kind{"broadcast", broadcast, nullptr},
    Kind{"reversed", reversed, nullptr, true},
    Kind{"output-padded", nullptr, padded},
    Kind{"output-permuted", nullptr, permuted},
    Kind{"gapped-both", gapped, gapped},
    Kind{"padded-both", padded, padded},
    Kind{"reversed-both", reversed, reversed, true},
    Kind{"mixed", mixed, nullptr, true},
    Kind{"mixed-to-gapped", mixed, gapped, true},
};

// The outermost axis with neighbours steps so far that the last element lies `bytes` behind the first.
// Nothing where no axis has any, or where that would be more elements than are worth it.
std::optional<Drawn> far_apart(const Shape& shape, int width, std::int64_t bytes,
                               Choices& choices) {
  constexpr std::int64_t kFew = 4096;
  const std::optional<std::int64_t> count = element_count(shape);
  if (!count || *count < 2 || *count > kFew) return std::nullopt;
  Drawn drawn{laid(shape, row_major_order(shape.rank()), no_slack(shape.rank()))};
  std::size_t axis = 0;
  while (shape[axis] == 1) ++axis;
  drawn.strides[axis] = bytes / (shape[axis] - 1) * 8 / width + choices.between(0, 999);
  // Whole bytes for packed types, so that every row starts on one.
  drawn.strides[axis] += drawn.strides[axis] % 2;
  return drawn;
}

// Beyond what 31 or 32 bits of bytes can tell apart, on one side.
std::string_view draw_sparse(Request& request, const Shape& output,
                             const LayoutAbilities& abilities, Choices& choices) {
  const bool more = choices.chance(50);
  const std::int64_t bytes = std::int64_t{1} << (more ? 32 : 31);
  const int width = bits(request.data_type);
  if (choices.chance(50)) {
    if (!abilities.strided_input) return {};
    const auto drawn = far_apart(request.data, width, bytes, choices);
    if (!drawn) return {};
    request.strides = drawn->strides;
  } else {
    if (!abilities.strided_output) return {};
    const auto drawn = far_apart(output, width, bytes, choices);
    if (!drawn) return {};
    request.out_strides = drawn->strides;
  }
  return more ? "sparse-2^32" : "sparse-2^31";
}

bool fits(const Shape& shape, const Drawn& drawn) {
  const ElementRange range = touched({shape, drawn.strides, drawn.offset});
  return range.first >= 0 && range.last < kLargestSpan;
}

}  // namespace

std::string_view draw_layout(Request& request, const Shape& output,
                             const LayoutAbilities& abilities, Choices& choices) {
  constexpr std::string_view kDense = "dense";
  if (request.shape_only) return kDense;
  if (choices.chance(40)) return kDense;
  if (abilities.sparse && choices.chance(4)) {
    const std::string_view sparse = draw_sparse(request, output, abilities, choices);
    return sparse.empty() ? kDense : sparse;
  }
  const Kind& kind = choices.one_of(kKinds);
  if (kind.data != nullptr && (!abilities.strided_input || request.data.rank() == 0)) return kDense;
  if (kind.output != nullptr && (!abilities.strided_output || output.rank() == 0)) return kDense;
  if (kind.negative && !abilities.negative_strides) return kDense;

  Drawn data;
  Drawn out;
  if (kind.data != nullptr) data = kind.data(request.data, choices);
  if (kind.output != nullptr) out = kind.output(output, choices);
  if (kind.data != nullptr && !fits(request.data, data)) return kDense;
  if (kind.output != nullptr && !fits(output, out)) return kDense;
  // Offsets of packed types stand on whole bytes.
  const auto whole_bytes = [&request](std::int64_t offset) {
    return bits(request.data_type) < 8 ? offset + (offset & 1) : offset;
  };
  if (kind.data != nullptr) {
    request.strides = std::move(data.strides);
    request.offset = whole_bytes(data.offset);
  }
  if (kind.output != nullptr) {
    request.out_strides = std::move(out.strides);
    request.out_offset = whole_bytes(out.offset);
  }
  return kind.name;
}

}  // namespace reshape::conformance
