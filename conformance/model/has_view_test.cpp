#include "conformance/model/has_view.h"

#include <gtest/gtest.h>

namespace reshape::conformance {
namespace {

TEST(HasView, OfDenseDataEachShape) {
  EXPECT_TRUE(has_view({{2, 3, 4}, {12, 4, 1}, 0}, {4, 6}));
  EXPECT_TRUE(has_view({{2, 1, 3}, {3, 77, 1}, 0}, {1, 6, 1}));
  EXPECT_TRUE(has_view({{0, 3}, {1, 1}, 0}, {3, 0}));
  EXPECT_TRUE(has_view({{}, {}, 0}, {1, 1}));
}

TEST(HasView, OfRowsApartWhatLeavesThemWhole) {
  const Layout rows = {{4, 6}, {8, 1}, 0};
  EXPECT_TRUE(has_view(rows, {2, 2, 3, 2}));
  EXPECT_FALSE(has_view(rows, {24}));
  EXPECT_FALSE(has_view(rows, {8, 3, 1, 2, 2}));
  EXPECT_FALSE(has_view(rows, {3, 8}));
}

TEST(HasView, OfTurnedAndRepeatedData) {
  EXPECT_FALSE(has_view({{2, 3}, {1, 2}, 0}, {6}));
  EXPECT_TRUE(has_view({{2, 3}, {-3, -1}, 5}, {6}));
  EXPECT_TRUE(has_view({{2, 3}, {0, 0}, 0}, {3, 2}));
  EXPECT_FALSE(has_view({{2, 3}, {0, 1}, 0}, {3, 2}));
}

}  // namespace
}  // namespace reshape::conformance
