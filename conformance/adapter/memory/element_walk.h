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

template <typename Word>
struct MoveWord {
  void operator()(const std::byte* from, std::int64_t read, std::byte* to,
                  std::int64_t write) const {
    constexpr auto size = static_cast<std::int64_t>(sizeof(Word));
    std::memcpy(to + write * size, from + read * size, sizeof(Word));
  }
};

// Calls walk(move), where move(from, read, to, write) copies one element of this type between two
// positions. Instantiated for each width, since walks may be over millions of elements.
template <typename Walk>
void with_move(ElementType type, Walk walk) {
  switch (bits(type)) {
    case 8: return walk(MoveWord<std::uint8_t>());
    case 16: return walk(MoveWord<std::uint16_t>());
    case 32: return walk(MoveWord<std::uint32_t>());
    case 64: return walk(MoveWord<std::uint64_t>());
    default: break;
  }
  walk([type](const std::byte* from, std::int64_t read, std::byte* to, std::int64_t write) {
    store_element(type, to, write, load_element(type, from, read));
  });
}

}  // namespace reshape::conformance
