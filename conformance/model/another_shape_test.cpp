#include "conformance/model/another_shape.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace reshape::conformance
