#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "reference/tensor/layout.h"

// Bounded exhaustive testing: every layout of every shape up to a bound, for tests that try them
// all.

namespace reshape::optimized {

// All shapes of `rank` sizes above 0 that hold `volume` elements.
inline void append_shapes(std::int64_t volume, std::size_t rank, std::vector<std::int64_t>& sizes,
                          std::vector<Shape>& shapes) {
  if (sizes.size() == rank) {
    if (volume == 1) shapes.push_back(Shape(sizes));
    return;
  }
  for (std::int64_t size = 1; size <= volume; ++size) {
    if (volume % size != 0) continue;
    sizes.push_back(size);
    append_shapes(volume / size, rank, sizes, shapes);
    sizes.pop_back();
  }
}

inline std::vector<Shape> shapes_of(std::int64_t volume, std::size_t lowest_rank,
                                    std::size_t highest_rank) {
  std::vector<Shape> shapes;
  std::vector<std::int64_t> sizes;
  for (std::size_t rank = lowest_rank; rank <= highest_rank; ++rank) {
    append_shapes(volume, rank, sizes, shapes);
  }
  return shapes;
}

// How an axis is walked: with a positive stride, a negative one, or a stride of 0.
enum class Turn : std::uint8_t { forward, backward, repeated };

// Calls `see` with layouts of `shape`: the axes in every order in memory, with a gap behind each
// axis or none, each axis walked as one of the first `turns` ways. An axis has a gap when its bit
// is set.
inline void each_layout(const Shape& shape, int turns,
                        const std::function<void(const Layout&)>& see) {
  std::vector<std::size_t> order(shape.rank());
  std::iota(order.begin(), order.end(), std::size_t{0});
  int ways = 1;
  for (std::size_t i = 0; i < shape.rank(); ++i) ways *= turns;
  do {
    for (unsigned gaps = 0; gaps < (1u << shape.rank()); ++gaps) {
      for (int way = 0; way < ways; ++way) {
        Layout layout{shape, Strides(shape.rank()), 3};
        std::int64_t step = 1;
        int rest = way;
        for (const std::size_t axis : order) {
          const auto turn = static_cast<Turn>(rest % turns);
          rest /= turns;
          layout.strides[axis] = turn == Turn::forward ? step : turn == Turn::backward ? -step : 0;
          if (turn == Turn::backward) layout.offset += (shape[axis] - 1) * step;
          if (turn != Turn::repeated) step *= shape[axis];
          if ((gaps >> axis) & 1u) step += 1;
        }
        see(layout);
      }
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

// Positions of all elements in row-major order, by walking every index.
inline std::vector<std::int64_t> positions_of(const Layout& layout) {
  std::vector<std::int64_t> positions;
  if (is_empty(layout.shape)) return positions;
  std::vector<std::int64_t> index(layout.shape.rank(), 0);
  do {
    positions.push_back(position_of(layout, index));
  } while (next_index(layout.shape, index));
  return positions;
}

}  // namespace reshape::optimized
