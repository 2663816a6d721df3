#pragma once

#include <cstddef>
#include <cstdint>
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
    constexpr ElementType kAnyOf4Bits = ElementType::i4;
    for (std::int64_t i = 0; i < count; ++i) {
      store_element(kAnyOf4Bits, to, write.first + i * write.step,
                    load_element(kAnyOf4Bits, from, read.first + i * read.step));
    }
  }
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
