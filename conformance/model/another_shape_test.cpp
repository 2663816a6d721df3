#include "conformance/model/another_shape.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>

namespace reshape::conformance {
namespace {

TEST(AnotherShape, HasAsManyElementsAndIsAnother) {
  for (const Shape& shape : {Shape{2, 3}, Shape{3, 3}, Shape{6}, Shape{}, Shape{1}, Shape{1, 1},
                             Shape{2, 3, 2}, Shape{5, 1}, Shape{0}, Shape{0, 3}, Shape{2, 0, 2}}) {
    const Shape other = another_shape(shape);
    EXPECT_NE(other, shape) << text(shape);
    EXPECT_EQ(element_count(other), element_count(shape)) << text(shape);
  }
  EXPECT_EQ(another_shape({0, 3}), (Shape{0, (std::int64_t{1} << 32) + 3}));
  EXPECT_EQ(another_shape({2, 3}), (Shape{3, 2}));  // of the same rank, where there is one
  EXPECT_EQ(another_shape({2, 3, 5}), (Shape{5, 3, 2}));
  EXPECT_EQ(another_shape({2, 3, 6}), (Shape{3, 2, 6}));
  EXPECT_EQ(another_shape({2, 3, 7}), (Shape{2, 7, 3}));
  EXPECT_EQ(another_shape({2, 5, 5}), (Shape{5, 5, 2}));  // the last two are equal
  EXPECT_EQ(another_shape({3}), (Shape{1, 3}));
  EXPECT_EQ(another_shape({1}), Shape());
  EXPECT_EQ(another_shape({1, 1}), Shape());
  EXPECT_EQ(another_shape({2, 3, 4}), (Shape{2, 3, 4, 1}));
}

// Each way is that of many requests; an output lies within what begins with its first byte.
TEST(AnotherShape, LiesInEachWayWhereItIsRefused) {
  std::map<RefusedWay, int> met;
  for (std::int64_t rows = 1; rows < 16; ++rows) {
    for (std::int64_t columns = 1; columns < 16; ++columns) {
      const Shape shape{rows, columns};
      const RefusedWay way = refused_way(shape, true);
      ++met[way];
      const Layout layout = refused_output(another_shape(shape), way, ElementType::i4);
      EXPECT_GE(touched(layout).first, 0) << text(shape);
      EXPECT_EQ(layout.offset % 2, 0) << text(shape);
      EXPECT_NE(refused_way(shape, false), RefusedWay::backwards) << text(shape);
    }
  }
  for (const RefusedWay way : {RefusedWay::gaps, RefusedWay::turned, RefusedWay::backwards}) {
    EXPECT_GT(met[way], 20) << text(way);
  }
  EXPECT_EQ(refused_output({2, 3}, RefusedWay::gaps, ElementType::u8).strides, (Strides{6, 2}));
  EXPECT_EQ(refused_output({2, 3}, RefusedWay::turned, ElementType::u8).strides, (Strides{1, 2}));
  const Layout backwards = refused_output({2, 3}, RefusedWay::backwards, ElementType::u8);
  EXPECT_EQ(backwards.strides, (Strides{-3, -1}));
  EXPECT_EQ(backwards.offset, 5);
  // Without elements.
  EXPECT_EQ(refused_way({0, 3, 1}, true), RefusedWay::gaps);
  const std::int64_t huge = std::int64_t{1} << 40;
  for (const RefusedWay way : {RefusedWay::turned, RefusedWay::backwards}) {
    const Layout empty = refused_output({huge, huge, 0}, way, ElementType::u8);
    EXPECT_EQ(empty.offset, 0);
    EXPECT_EQ(empty.strides,
              refused_output(empty.shape, RefusedWay::gaps, ElementType::u8).strides);
  }
}

}  // namespace
}  // namespace reshape::conformance
