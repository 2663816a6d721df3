#include "conformance/property/copies.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

constexpr std::int64_t kLargestSpan = std::int64_t{1} << 18;

struct Stack {
  std::int64_t planes = 1;
  std::int64_t rows = 1;
  std::int64_t columns = 1;

  std::int64_t count() const { return planes * rows * columns; }
  // The rank of the shape: leading axes of one element are dropped.
  std::size_t rank() const { return planes != 1 ? 3 : rows != 1 ? 2 : 1; }
  Shape shape() const {
    const std::array<std::int64_t, 3> sizes = {planes, rows, columns};
    return Shape({sizes.end() - rank(), sizes.end()});
  }
};

// A size of some whole tiles and a tail.
std::int64_t tiles_and_a_tail(Choices& choices) {
  constexpr std::array<std::int64_t, 5> kTiles = {4, 8, 16, 32, 64};
  const std::int64_t tile = choices.one_of(kTiles);
  const std::int64_t whole = choices.between(1, 4) * tile;
  switch (choices.below(4)) {
    case 0: return whole;
    case 1: return whole + choices.between(-1, 1);
    case 2: return whole + choices.between(1, 8);
    default: return whole + tile / 4 * choices.between(1, 3);
  }
}

std::int64_t a_size(Choices& choices) {
  constexpr std::array<std::int64_t, 5> kPages = {256, 512, 768, 1024, 2048};
  switch (choices.below(8)) {
    case 0:
    case 1:
    case 2: return choices.between(1, 9);  // channels, heads, windows
    case 3: return choices.between(10, 300);
    case 4: return choices.one_of(kPages) + choices.between(-1, 1);
    default: return tiles_and_a_tail(choices);
  }
}

// One axis longer than 2^16, and small other ones.
Stack a_long_stack(Choices& choices) {
  const std::int64_t size = 65536 + choices.between(0, 3);
  const std::int64_t few = choices.between(2, 3);
  switch (choices.below(3)) {
    case 0: return {size, few, 1};
    case 1: return {1, size, few};
    default: return {1, few, size};
  }
}

Stack a_stack(Choices& choices) {
  if (choices.chance(2)) return a_long_stack(choices);
  std::int64_t room = std::int64_t{1} << choices.between(8, choices.chance(15) ? 17 : 13);
  const auto size = [&] {
    std::int64_t drawn = a_size(choices);
    if (drawn > room) drawn = choices.between(1, std::min<std::int64_t>(room, 300));
    room /= drawn;
    return drawn;
  };
  Stack stack;
  stack.columns = size();
  if (choices.chance(20)) return stack;
  stack.rows = choices.chance(10) && stack.columns <= room ? stack.columns : size();
  // The size drawn first may be the largest, so the two are swapped at random.
  if (choices.chance(50)) std::swap(stack.rows, stack.columns);
  if (choices.chance(35)) stack.planes = size();
  return stack;
}

std::int64_t rounded_up(std::int64_t number, std::int64_t to) {
  return (number + to - 1) / to * to;
}

// The distance between rows of `length` places.
std::int64_t a_pitch(std::int64_t length, Choices& choices) {
  constexpr std::array<std::int64_t, 5> kLines = {8, 16, 32, 64, 256};
  constexpr std::array<std::int64_t, 3> kPages = {1024, 2048, 4096};
  switch (choices.below(12)) {
    case 0:
    case 1:
    case 2: return length + choices.between(1, 4);
    case 3: return length + choices.between(5, 40);
    case 4: return rounded_up(length + 1, choices.one_of(kLines));
    case 5: return rounded_up(length, choices.one_of(kPages));
    case 6: return length + choices.one_of(kPages);
    default: return length;
  }
}

enum class Side { data, output };

// Strides for the axes (planes, rows, columns): row-major, turned, padded, mirrored or repeated.
Placement placed(const Stack& stack, Side side, Choices& choices) {
  constexpr std::array<std::int64_t, 14> kSteps = {2, 2, 3, 3, 4, 4, 5, 6, 8, 8, 16, 32, 64, 256};
  const bool one_row = stack.rank() == 1;
  const bool turned = !one_row && choices.chance(50);
  const std::int64_t inner = turned ? stack.rows : stack.columns;
  const std::int64_t outer = turned ? stack.columns : stack.rows;
  const std::int64_t step = choices.chance(one_row ? 65 : 20) ? choices.one_of(kSteps) : 1;
  const std::int64_t pitch = a_pitch(inner * step, choices);
  const std::int64_t plane = pitch * outer + (choices.chance(25) ? choices.between(1, 40) : 0);
  std::array<std::int64_t, 3> sizes = {stack.planes, stack.rows, stack.columns};
  std::array<std::int64_t, 3> strides = {plane, turned ? step : pitch, turned ? pitch : step};
  Placement placement;
  if (choices.chance(20)) placement.offset = choices.between(1, 4);
  if (choices.chance(20)) {  // mirrored
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      if (!choices.chance(60)) continue;
      placement.offset += (sizes[axis] - 1) * strides[axis];
      strides[axis] = -strides[axis];
    }
  } else if (side == Side::data && choices.chance(12)) {  // repeated
    strides[choices.below(3)] = 0;
  }
  // The stride of an axis of one element is never used; some programs leave any value there.
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] != 1 || !choices.chance(10)) continue;
    strides[axis] = choices.chance(50) ? std::int64_t{1} << choices.between(8, 40) : 0;
  }
  placement.strides.assign(strides.end() - stack.rank(), strides.end());
  return placement;
}

// A random placement, or nothing (a dense side) if that would take too much room.
std::optional<Placement> placed_within(const Stack& stack, Side side, Choices& choices) {
  Placement placement = placed(stack, side, choices);
  const ElementRange range = touched({stack.shape(), placement.strides, placement.offset});
  if (range.first < 0 || range.last >= kLargestSpan) return std::nullopt;
  return placement;
}

// The other side of a copy whose own shape does not matter, since it is dense.
Shape regrouped(const Stack& stack, Choices& choices) {
  switch (choices.below(6)) {
    case 0: return Shape{stack.count()};
    case 1: return Shape{stack.planes * stack.rows, stack.columns};
    case 2: return Shape{stack.planes, stack.rows * stack.columns};
    case 3: return Shape{stack.planes, 1, stack.rows, stack.columns};
    default: return stack.shape();
  }
}

}  // namespace

ShapePair copies(Choices& choices) {
  const Stack stack = a_stack(choices);
  ShapePair pair{stack.shape(), stack.shape()};
  switch (choices.below(8)) {
    case 0:
    case 1:
    case 2:
      pair.placed_data = placed_within(stack, Side::data, choices);
      pair.output = regrouped(stack, choices);
      break;
    case 3:
    case 4:
    case 5:
      pair.placed_output = placed_within(stack, Side::output, choices);
      pair.data = regrouped(stack, choices);
      break;
    case 6: {
      // In half of these, the rows of the two sides end at different elements.
      const Stack cut = choices.chance(50) ? stack : Stack{stack.planes, stack.columns, stack.rows};
      pair.output = cut.shape();
      pair.placed_data = placed_within(stack, Side::data, choices);
      pair.placed_output = placed_within(cut, Side::output, choices);
      break;
    }
    default:  // the same places on both sides
      pair.placed_output = pair.placed_data = placed_within(stack, Side::output, choices);
  }
  return pair;
}

}  // namespace reshape::conformance
