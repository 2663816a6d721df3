#include "conformance/adapter/memory/tensor_image.h"

#include <gtest/gtest.h>

#include "conformance/model/payload.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> made;
  for (int value : values) made.push_back(static_cast<std::byte>(value));
  return made;
}

// A distinct payload where the layout says, between bytes of 0xa5.
struct Scattered {
  Scattered(ElementType type, const Layout& layout) : extent(*extent_of(type, layout)) {
    Request request;
    request.data_type = type;
    request.data = layout.shape;
    packed = packed_payload(request, Payload::distinct, 0);
    buffer.assign(static_cast<std::size_t>(extent.size), std::byte{0xa5});
    scatter(type, layout, packed, base());
  }
  std::byte* base() { return buffer.data() + extent.base; }

  Extent extent;
  std::vector<std::byte> packed, buffer;
};

TEST(TensorImage, ExtentsHoldPrefixOffsetAndGaps) {
  const struct {
    ElementType type;
    Layout layout;
    std::int64_t prefix, size, base, first;
  } extents[] = {
      {ElementType::f32, {{2, 3}, {3, 1}, 0}, 0, 24, 0, 0},
      {ElementType::f32, {{2, 3}, {5, 1}, 2}, 12, 12 + (2 + 8) * 4, 12, 12 + 8},
      // Negative strides begin with their lowest element.
      {ElementType::u8, {{2, 3}, {-3, -1}, 5}, 0, 6, 0, 5},
      {ElementType::u8, {{3}, {-2}, 1}, 0, 5, 3, 4},
      // Half bytes are rounded to whole ones.
      {ElementType::i4, {{3}, {1}, 0}, 0, 2, 0, 0},
      {ElementType::i4, {{3}, {1}, 2}, 0, 3, 0, 1},
      {ElementType::f32, {{0, 5}, {5, 1}, 0}, 0, 0, 0, 0},
      {ElementType::f64, {{}, {}, 0}, 0, 8, 0, 0},
  };
  for (const auto& [type, layout, prefix, size, base, first] : extents) {
    const auto extent = extent_of(type, layout, prefix);
    ASSERT_TRUE(extent) << text(layout.shape);
    EXPECT_EQ(extent->size, size) << text(layout.shape);
    EXPECT_EQ(extent->base, base) << text(layout.shape);
    EXPECT_EQ(extent->first, first) << text(layout.shape);
  }
}

TEST(TensorImage, WhatIsTooLargeOrDoesNotFitHasNoExtent) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  EXPECT_FALSE(extent_of(ElementType::u8, Layout{{kLargestBuffer + 1}, {1}, 0}));
  EXPECT_TRUE(extent_of(ElementType::u8, Layout{{kLargestBuffer}, {1}, 0}));
  EXPECT_FALSE(extent_of(ElementType::f32, Layout{{kHuge, kHuge}, {kHuge, 1}, 0}));
  EXPECT_FALSE(extent_of(ElementType::f32, Layout{{2, 2}, {kHuge, -kHuge}, 0}));
  EXPECT_FALSE(extent_of(ElementType::f32, Layout{{2}, {1}, kHuge}));
  EXPECT_FALSE(extent_of(ElementType::f32, Layout{{2}, {1}, -1}));
  EXPECT_FALSE(extent_of(ElementType::u8, Layout{{kHuge}, {0}, 0}));  // broadcast, yet too many
  EXPECT_FALSE(extent_of(ElementType::f32, Layout{{2, 2}, {1}, 0}));
}

TEST(TensorImage, ScatteredElementsAreGatheredAgain) {
  const Layout layouts[] = {{{2, 3}, {3, 1}, 0},
                            {{2, 3}, {5, 1}, 2},
                            {{2, 3}, {1, 2}, 0},
                            {{2, 3}, {-3, -1}, 6},
                            {{2, 3}, {7, -2}, 4},
                            {{1, 6}, {99, 1}, 0},
                            {{2, 0, 3}, {3, 3, 1}, 0},
                            {{6}, {1}, 8},
                            // Turned, so that they are walked in tiles.
                            {{67, 131}, {1, 70}, 1},
                            {{2, 17, 3, 66}, {-9999, -2, 34, 110}, 20300},
                            // Halves of bytes from an odd place, forwards and backwards.
                            {{3, 35}, {36, 1}, 3},
                            {{3, 35}, {37, -1}, 37},
                            {{35}, {3}, 1}};
  for (ElementType type : kAllElementTypes) {
    for (const Layout& layout : layouts) {
      Scattered made(type, layout);
      EXPECT_EQ(gather(type, layout, made.base()), made.packed) << name(type);
      EXPECT_TRUE(holds(type, layout, made.base(), made.packed)) << name(type);
      EXPECT_FALSE(changed_gap(type, layout, made.extent, made.buffer, 0xa5));
      std::vector<std::int64_t> index(layout.shape.rank());
      for (std::int64_t i = 0; i < *element_count(layout.shape); ++i) {
        EXPECT_EQ(load_element(type, made.base(), position_of(layout, index)),
                  payload_bits(Payload::distinct, type, i));
        next_index(layout.shape, index);
      }
    }
  }
}

TEST(TensorImage, WhereElementsShareAPlaceTheFirstStays) {
  Request request;
  request.data_type = ElementType::u8;
  request.data = {3, 2};
  request.elements = {10, 11, 12, 13, 14, 15};
  std::vector<std::byte> buffer(2);
  scatter(ElementType::u8, Layout{{3, 2}, {0, 1}, 0}, packed_payload(request, Payload::distinct, 0),
          buffer.data());
  EXPECT_EQ(buffer, bytes({10, 11}));
}

TEST(TensorImage, AChangedGapIsFoundAndAnElementIsNone) {
  const Layout layout{{2, 2}, {3, 1}, 1};
  const auto extent = extent_of(ElementType::u8, layout);
  const auto right = bytes({0xa5, 1, 2, 0xa5, 3, 4});
  EXPECT_FALSE(changed_gap(ElementType::u8, layout, *extent, right, 0xa5));
  for (std::size_t at : {0u, 3u}) {
    auto buffer = right;
    buffer[at] = std::byte{0};
    const auto change = changed_gap(ElementType::u8, layout, *extent, buffer, 0xa5);
    ASSERT_TRUE(change);
    EXPECT_EQ(change->at, static_cast<std::int64_t>(at));
    EXPECT_EQ(change->was, 0xa5);
    EXPECT_EQ(change->is, 0);
    EXPECT_FALSE(change->half);
  }
}

TEST(TensorImage, AChangedGapIsFoundWhateverTheOrderOfTheAxes) {
  const Layout layout{{3, 2, 4}, {1, -20, 4}, 20};  // two parts of 16, with a gap in each fourth
  for (const ElementType type : {ElementType::u4, ElementType::u8, ElementType::f64}) {
    Scattered made(type, layout);
    EXPECT_FALSE(changed_gap(type, layout, made.extent, made.buffer, 0xa5));
    const std::int64_t gap = 23;
    store_element(type, made.base(), gap, 0);
    const auto change = changed_gap(type, layout, made.extent, made.buffer, 0xa5);
    ASSERT_TRUE(change) << name(type);
    EXPECT_EQ(change->at, made.extent.base + gap * bits(type) / 8);
  }
}

// For dense elements only the bytes on either side are checked.
TEST(TensorImage, AChangedByteBesideDenseElementsIsFound) {
  const Layout layout{{2, 2}, {2, 1}, 0};
  const Extent extent{8, 2, 2};
  const auto before = bytes({10, 11, 0, 0, 0, 0, 16, 17});
  const auto filled = bytes({0xa5, 0xa5, 1, 2, 3, 4, 0xa5, 0xa5});
  const auto right = bytes({10, 11, 1, 2, 3, 4, 16, 17});
  EXPECT_FALSE(changed_gap(ElementType::u8, layout, extent, filled, 0xa5));
  EXPECT_FALSE(changed_gap(ElementType::u8, layout, extent, right, before));
  for (const std::size_t at : {0u, 1u, 6u, 7u}) {
    auto buffer = filled;
    buffer[at] = std::byte{0};
    const auto change = changed_gap(ElementType::u8, layout, extent, buffer, 0xa5);
    ASSERT_TRUE(change) << at;
    EXPECT_EQ(change->at, static_cast<std::int64_t>(at));
    EXPECT_EQ(change->was, 0xa5);
    EXPECT_EQ(change->changed, 1);
    buffer = right;
    buffer[at] = std::byte{0};
    const auto beside = changed_gap(ElementType::u8, layout, extent, buffer, before);
    ASSERT_TRUE(beside) << at;
    EXPECT_EQ(beside->at, static_cast<std::int64_t>(at));
    EXPECT_EQ(beside->was, std::to_integer<int>(before[at]));
  }
}

TEST(TensorImage, HeldElementsAreComparedWhereTheyLie) {
  const Layout layouts[] = {{{2, 3}, {3, 1}, 0},
                            {{2, 3}, {5, 1}, 2},
                            {{2, 3}, {1, 2}, 0},
                            {{2, 3}, {-3, -1}, 6},
                            {{}, {}, 4}};
  for (const ElementType type : kAllElementTypes) {
    for (const Layout& layout : layouts) {
      Scattered made(type, layout);
      EXPECT_TRUE(holds(type, layout, made.base(), made.packed)) << name(type);
      for (std::byte& byte : made.packed) {
        byte ^= std::byte{1};
        EXPECT_FALSE(holds(type, layout, made.base(), made.packed)) << name(type);
        byte ^= std::byte{1};
      }
      made.packed.push_back(std::byte{0});
      EXPECT_FALSE(holds(type, layout, made.base(), made.packed)) << name(type);
    }
  }
}

TEST(TensorImage, TheOtherHalfOfAByteIsAGap) {
  const Layout layout{{3}, {1}, 0};
  const auto extent = extent_of(ElementType::u4, layout);
  EXPECT_FALSE(changed_gap(ElementType::u4, layout, *extent, bytes({0x21, 0xa3}), 0xa5));
  const auto change = changed_gap(ElementType::u4, layout, *extent, bytes({0x21, 0x03}), 0xa5);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->at, 1);
  EXPECT_TRUE(change->half);
}

TEST(TensorImage, TheUnusedHalfOfTheLastByteIsGatheredAsZero) {
  const auto buffer = bytes({0x21, 0xa3});
  EXPECT_EQ(gather(ElementType::u4, Layout{{3}, {1}, 0}, buffer.data()), bytes({0x21, 0x03}));
}

}  // namespace
}  // namespace reshape::conformance
