#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "reference/tensor/element_type.h"
#include "reference/tensor/layout.h"
#include "reference/tensor/tensor_view.h"

// Loops over the elements of a layout, for tensor_image.cpp and changed_gap.cpp.
namespace reshape::conformance {

// Calls `row(position, count, step)` for every row of the last axis, in row-major or reverse order,
// until one returns false; returns false then. The caller loops over a row's elements, so that the
// compiler can optimize it.
template <typename Row>
bool walk_rows(const Layout& layout, bool backwards, Row row) {
  if (is_empty(layout.shape)) return true;
  Layout outer = backwards ? reversed(layout) : layout;
  std::int64_t count = 1;
  std::int64_t step = 0;
  if (const auto sizes = layout.shape.sizes(); !sizes.empty()) {
    count = sizes.back();
    step = outer.strides.back();
    outer.shape = Shape(std::vector<std::int64_t>(sizes.begin(), sizes.end() - 1));
    outer.strides.pop_back();
  }
  RowMajorWalk rows(outer);
  do {
    if (!row(rows.position(), count, step)) return false;
  } while (rows.next());
  return true;
}

// Calls `visit(position)` for every element, in row-major or reverse order.
template <typename Visit>
void walk(const Layout& layout, bool backwards, Visit visit) {
  walk_rows(layout, backwards, [&](std::int64_t position, std::int64_t count, std::int64_t step) {
    for (std::int64_t i = 0; i < count; ++i) visit(position + i * step);
    return true;
  });
}

// Another layout of the same positions, with ascending rows as long as there are: for walks whose
// order does not matter. Precondition: not empty.
inline Layout in_memory_order(const Layout& layout) {
  struct Axis {
    std::int64_t size, stride;
  };
  std::vector<Axis> axes;
  Layout ordered{{}, {}, layout.offset};
  for (std::size_t axis = 0; axis < layout.strides.size(); ++axis) {
    const std::int64_t size = layout.shape[axis], stride = layout.strides[axis];
    if (size == 1 || stride == 0) continue;
    if (stride < 0) ordered.offset += (size - 1) * stride;
    axes.push_back({size, std::abs(stride)});
  }
  std::ranges::stable_sort(axes, std::greater(), &Axis::stride);
  std::vector<Axis> joined;
  for (const Axis& axis : axes) {
    if (!joined.empty() && joined.back().stride == axis.size * axis.stride) {
      joined.back() = {joined.back().size * axis.size, axis.stride};
    } else {
      joined.push_back(axis);
    }
  }
  for (const Axis& axis : joined) {
    ordered.shape.append(axis.size);
    ordered.strides.push_back(axis.stride);
  }
  return ordered;
}

// A part of a row of the last axis: `count` elements from `position` on, `step` apart, of which the
// first is the `index`-th of the tensor in row-major order.
struct Piece {
  std::int64_t position, count, step, index;
};

// Calls `visit(piece)` for pieces that make up the tensor, until one returns false; returns false
// then. Rows whose neighbours in memory are those of another axis are visited in square tiles, so
// that a cache line is not read or written again for each of its elements.
template <typename Visit>
bool walk_pieces(ElementType type, const Layout& layout, Visit visit) {
  constexpr std::int64_t kLine = 64 * 8, kTile = 64, kLeast = 16;  // bits, and elements
  const std::size_t rank = layout.strides.size();
  std::size_t across = 0;
  const auto apart = [&](std::size_t axis) { return distance(layout.strides[axis]); };
  for (std::size_t axis = 1; axis + 1 < rank; ++axis) {
    if (layout.shape[axis] >= kLeast && apart(axis) < apart(across)) across = axis;
  }
  const auto bits_apart = [&](std::size_t axis) { return apart(axis) * bits(type); };
  const bool tiled = rank > 1 && !is_empty(layout.shape) && layout.shape[across] >= kLeast &&
                     layout.shape[rank - 1] >= kLeast && bits_apart(across) < kLine &&
                     bits_apart(rank - 1) >= kLine;
  if (!tiled) {
    std::int64_t index = 0;
    return walk_rows(layout, false,
                     [&](std::int64_t position, std::int64_t count, std::int64_t step) {
                       const Piece row{position, count, step, index};
                       index += count;
                       return visit(row);
                     });
  }
  const Strides in_order = *row_major_strides(layout.shape);
  Layout outer = layout, indices{layout.shape, in_order, 0};
  for (Layout* one : {&outer, &indices}) {
    std::vector<std::int64_t> sizes(one->shape.begin(), one->shape.end());
    sizes[across] = sizes[rank - 1] = 1;
    one->shape = Shape(std::move(sizes));
  }
  const std::int64_t rows = layout.shape[across], row = layout.shape[rank - 1];
  const std::int64_t step = layout.strides[rank - 1], next = layout.strides[across];
  RowMajorWalk tables(outer), begin(indices);
  do {
    for (std::int64_t column = 0; column < row; column += kTile) {
      const std::int64_t count = std::min(kTile, row - column);
      for (std::int64_t i = 0; i < rows; ++i) {
        if (!visit(Piece{tables.position() + i * next + column * step, count, step,
                         begin.position() + i * in_order[across] + column})) {
          return false;
        }
      }
    }
    begin.next();
  } while (tables.next());
  return true;
}

// The bytes of a dense tensor: `whole` of them, possibly followed by a half.
struct DenseBytes {
  std::int64_t begin = 0;  // from the base
  std::int64_t whole = 0;
  bool half = false;
};
inline std::optional<DenseBytes> dense_bytes(ElementType type, const Layout& layout) {
  const std::optional<std::int64_t> count = element_count(layout.shape);
  if (!count || !is_row_major_dense(layout) || layout.offset * bits(type) % 8 != 0) {
    return std::nullopt;
  }
  const std::int64_t all = *count * bits(type);
  return DenseBytes{layout.offset * bits(type) / 8, all / 8, all % 8 != 0};
}

// Elements of a row: `first`, then every `step`-th.
struct RowOf {
  std::int64_t first = 0;
  std::int64_t step = 0;
};

// Copies a row of `count` elements of a whole number of bytes.
template <typename Word>
struct MoveWord {
  static void row(const std::byte* from, RowOf read, std::byte* to, RowOf write,
                  std::int64_t count) {
    constexpr auto size = static_cast<std::int64_t>(sizeof(Word));
    if (read.step == write.step && (read.step == 1 || read.step == -1)) {
      const std::int64_t back = read.step == 1 ? 0 : count - 1;
      std::memcpy(to + (write.first - back) * size, from + (read.first - back) * size,
                  static_cast<std::size_t>(count * size));
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      std::memcpy(to + (write.first + i * write.step) * size,
                  from + (read.first + i * read.step) * size, sizeof(Word));
    }
  }
};

struct MoveHalf {
  static void row(const std::byte* from, RowOf read, std::byte* to, RowOf write,
                  std::int64_t count) {
    if (write.step == -1) {
      read = {read.first + (count - 1) * read.step, -read.step};
      write = {write.first - (count - 1), 1};
    }
    const auto one = [&](std::int64_t i) {
      store_element(kAnyOf4Bits, to, write.first + i * write.step,
                    load_element(kAnyOf4Bits, from, read.first + i * read.step));
    };
    std::int64_t i = 0;
    if (write.step == 1) {
      // Whole bytes, which need no look at what they held.
      for (; i < count && (write.first + i) % 2 != 0; ++i) one(i);
      std::byte* out = to + ((write.first + i) >> 1);
      const std::int64_t whole = (count - i) / 2;
      if (read.step == 1 && (read.first + i) % 2 == 0) {
        std::memcpy(out, from + ((read.first + i) >> 1), static_cast<std::size_t>(whole));
      } else {
        for (std::int64_t byte = 0; byte < whole; ++byte) {
          const std::int64_t at = read.first + (i + 2 * byte) * read.step;
          out[byte] = static_cast<std::byte>(load_element(kAnyOf4Bits, from, at) |
                                             load_element(kAnyOf4Bits, from, at + read.step) << 4);
        }
      }
      i += 2 * whole;
    }
    for (; i < count; ++i) one(i);
  }

 private:
  static constexpr ElementType kAnyOf4Bits = ElementType::i4;
};

// Calls walk(move), where move.row(from, read, to, write, count) copies elements of this type.
// Instantiated for each width, since walks may be over millions of elements.
template <typename Walk>
void with_move(ElementType type, Walk walk) {
  switch (bits(type)) {
    case 8: return walk(MoveWord<std::uint8_t>());
    case 16: return walk(MoveWord<std::uint16_t>());
    case 32: return walk(MoveWord<std::uint32_t>());
    case 64: return walk(MoveWord<std::uint64_t>());
    default: return walk(MoveHalf());
  }
}

}  // namespace reshape::conformance
