#include "reference/reshape.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace reshape::reference {
namespace {

// --- Choices at open points

TEST(Decide, LeavesADefiniteRulingAlone) {
  EXPECT_EQ(decide(Ruling::produces({2, 3})), Ruling::produces({2, 3}));
  EXPECT_EQ(decide(Ruling::rejects("volume.kept")), Ruling::rejects("volume.kept"));
}

TEST(Decide, TakesTheDefiniteShapeOfAnOpenPoint) {
  EXPECT_EQ(decide(Ruling::unspecified("data.scalar", true, {PermittedShape::exactly({1, 1})})),
            Ruling::produces({1, 1}));
  EXPECT_EQ(decide(Ruling::unspecified("pattern.empty", true, {PermittedShape::exactly({})})),
            Ruling::produces({}));
}

TEST(Decide, RefusesWhereAnySizeWouldDo) {
  const PermittedShape any{{0, std::nullopt}};
  EXPECT_EQ(decide(Ruling::unspecified("zero.with-minus-one", true, {any})),
            Ruling::rejects("zero.with-minus-one"));
  EXPECT_EQ(decide(Ruling::unspecified("x", true, {PermittedShape::exactly({1}), any})),
            Ruling::rejects("x"));
}

TEST(Decide, RefusesACountBeyondInt64WhateverPointIsNamed) {
  const auto large = PermittedShape::exactly({std::int64_t{1} << 62, 4});
  for (const char* clause : {"volume.beyond-int64", "data.type-open"}) {
    EXPECT_EQ(decide(Ruling::unspecified(clause, true, {large})), Ruling::rejects(clause));
  }
}

TEST(Decide, SettlesWhatTheRulesSay) {
  Dialect dialect;
  dialect.data_types = ElementTypes::all();
  dialect.pattern_types = ElementTypes::integers();
  const auto of = [&](Shape data, std::vector<PatternValue> pattern) {
    return decide(
        resolve(dialect,
                {ElementType::f32, std::move(data), {ElementType::i64, std::move(pattern)}, true}));
  };
  EXPECT_EQ(of({2, 3}, {3, -1}), Ruling::produces({3, 2}));
  EXPECT_EQ(of({2, 3}, {4, -1}), Ruling::rejects("minus-one.divides"));
  EXPECT_EQ(of({0, 3}, {0, -1}), Ruling::rejects("minus-one.beside-copied-zero"));
}

// --- The copy

// Bits of the element at a row-major position: neighbours differ in every type.
std::uint64_t element_at(ElementType type, std::int64_t position) {
  const std::uint64_t mixed = static_cast<std::uint64_t>(position + 1) * 0x9E3779B97F4A7C15ULL;
  return mixed >> (64 - bits(type));
}

// Position of the n-th element in row-major order, by division: another way than the copy's walk.
std::int64_t nth(const Layout& layout, std::int64_t n) {
  std::int64_t position = layout.offset;
  for (std::size_t axis = layout.shape.rank(); axis-- > 0;) {
    position += n % layout.shape[axis] * layout.strides[axis];
    n /= layout.shape[axis];
  }
  return position;
}

// Memory that holds everything that `layout` touches; positions count from base().
struct Memory {
  Memory(ElementType element_type, Layout its_layout, std::byte fill)
      : type(element_type), layout(std::move(its_layout)) {
    const ElementRange range = touched(layout);
    // A whole number of bytes in front, so that half bytes keep their halves.
    before = range.first < 0 ? (-range.first + 1) / 2 * 2 : 0;
    const std::int64_t last = range.last < 0 ? 0 : range.last;
    bytes.assign(static_cast<std::size_t>(bytes_for(type, before + last + 1)), fill);
  }
  std::byte* base() { return bytes.data() + bytes_for(type, before); }
  TensorView view() { return {type, layout, base()}; }
  MutableTensorView mutable_view() { return {type, layout, base()}; }

  ElementType type;
  Layout layout;
  std::int64_t before = 0;
  std::vector<std::byte> bytes;
};

// Copies, and compares every element and every byte around the elements.
void expect_copy(ElementType type, const Layout& from, const Layout& to) {
  Memory source(type, from, std::byte{0});
  const std::int64_t count = *element_count(from.shape);
  ASSERT_EQ(count, *element_count(to.shape));
  for (std::int64_t n = 0; n < count; ++n) {
    store_element(type, source.base(), nth(from, n), element_at(type, n));
  }
  const std::vector<std::byte> given = source.bytes;
  Memory target(type, to, std::byte{0x6B});
  Memory expected = target;
  for (std::int64_t n = 0; n < count; ++n) {
    // Read back from the source, since a broadcast layout stores several elements in one place.
    store_element(type, expected.base(), nth(to, n),
                  load_element(type, source.base(), nth(from, n)));
  }
  copy_elements(source.view(), target.mutable_view());
  EXPECT_EQ(target.bytes, expected.bytes)
      << name(type) << " " << text(from.shape) << text_of_sizes(from.strides) << " to "
      << text(to.shape) << text_of_sizes(to.strides);
  EXPECT_EQ(source.bytes, given);
}

TEST(Copy, KeepsEveryElementOfEveryType) {
  for (ElementType type : kAllElementTypes) {
    expect_copy(type, row_major({2, 3, 5}), row_major({5, 6}));
    expect_copy(type, row_major({}), row_major({1, 1}));
    expect_copy(type, row_major({7}), row_major({7}));
  }
}

TEST(Copy, FollowsStridesOnBothSides) {
  for (ElementType type : {ElementType::f64, ElementType::f16, ElementType::u8, ElementType::i4}) {
    expect_copy(type, {{4, 6}, {1, 4}, 0}, row_major({3, 8}));         // transposed
    expect_copy(type, {{4, 6}, {-6, -1}, 23}, row_major({3, 8}));      // reversed
    expect_copy(type, {{4, 6}, {6, -1}, -3}, row_major({3, 8}));       // in front of the base
    expect_copy(type, {{4, 6}, {0, 1}, 0}, row_major({24}));           // broadcast
    expect_copy(type, row_major({4, 6}), {{3, 8}, {17, 2}, 3});        // with gaps
    expect_copy(type, row_major({4, 6}), {{3, 8}, {1, 3}, 0});         // transposed
    expect_copy(type, {{4, 6}, {13, 2}, 1}, {{2, 12}, {-25, 2}, 30});  // both
  }
}

TEST(Copy, OfNothingTouchesNothing) {
  copy_elements({ElementType::f32, row_major({0, 3}), nullptr},
                {ElementType::f32, row_major({3, 0}), nullptr});
  expect_copy(ElementType::i4, row_major({2, 0}), row_major({0}));
}

TEST(Copy, KeepsBitsThatArithmeticWouldChange) {
  for (const std::uint64_t element : {0x7F800001U, 0xFFC0DEADU, 0x80000000U, 0x00000001U}) {
    Memory source(ElementType::f32, row_major({1}), std::byte{0});
    Memory target(ElementType::f32, row_major({}), std::byte{0});
    store_element(ElementType::f32, source.base(), 0, element);
    copy_elements(source.view(), target.mutable_view());
    EXPECT_EQ(load_element(ElementType::f32, target.base(), 0), element);
  }
}

// Sizes of up to four axes, their factors regrouped for the other side, and strides that separate
// every two elements: a permutation of the dense ones with gaps, each of either sign.
RC_GTEST_PROP(Copy, BetweenAnyTwoLayouts, ()) {
  const auto layout_for = [](const Shape& shape) {
    Layout layout{shape, Strides(shape.rank()), 0};
    std::vector<std::size_t> order;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
      order.insert(order.begin() + *rc::gen::inRange<std::ptrdiff_t>(
                                       0, static_cast<std::ptrdiff_t>(order.size()) + 1),
                   axis);
    }
    std::int64_t step = 1;
    for (std::size_t axis : order) {
      step += *rc::gen::inRange<std::int64_t>(0, 3);
      layout.strides[axis] = *rc::gen::arbitrary<bool>() ? step : -step;
      step *= std::max<std::int64_t>(shape[axis], 1);
    }
    return layout;
  };
  const auto factors = *rc::gen::container<std::vector<std::int64_t>>(
      4, rc::gen::element<std::int64_t>(1, 2, 3, 4, 5));
  const auto grouped = [&] {
    Shape shape;
    std::int64_t size = 1;
    for (std::int64_t factor : factors) {
      size *= factor;
      if (*rc::gen::arbitrary<bool>()) {
        shape.append(size);
        size = 1;
      }
    }
    shape.append(size);
    return shape;
  };
  const auto type = *rc::gen::elementOf(
      std::vector<ElementType>(kAllElementTypes.begin(), kAllElementTypes.end()));
  expect_copy(type, layout_for(grouped()), layout_for(grouped()));
  RC_ASSERT(!::testing::Test::HasFailure());
}

}  // namespace
}  // namespace reshape::reference
