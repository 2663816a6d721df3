#include "reference/tensor/layout.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

namespace reshape {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

// Every position that a walk over `layout` visits, in row-major order.
std::vector<std::int64_t> walk(const Layout& layout) {
  std::vector<std::int64_t> positions;
  if (is_empty(layout.shape)) return positions;
  std::vector<std::int64_t> index(layout.shape.rank(), 0);
  do {
    positions.push_back(position_of(layout, index));
  } while (next_index(layout.shape, index));
  return positions;
}

TEST(Shape, CountsElements) {
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({2, 3, 4}), 24);
  EXPECT_EQ(element_count({kMax}), kMax);
  EXPECT_EQ(element_count({kMax, 2}), std::nullopt);
  EXPECT_EQ(element_count({std::int64_t{1} << 32, std::int64_t{1} << 32}), std::nullopt);
}

TEST(Shape, AZeroAnywhereMakesItEmpty) {
  EXPECT_EQ(element_count({kMax, kMax, 0}), 0);
  EXPECT_EQ(element_count({0, kMax, kMax}), 0);
  EXPECT_TRUE(is_empty({2, 0, 3}));
  EXPECT_FALSE(is_empty({}));
  EXPECT_FALSE(is_empty({1}));
}

TEST(Shape, Text) {
  EXPECT_EQ(text(Shape{}), "[]");
  EXPECT_EQ(text(Shape{0}), "[0]");
  EXPECT_EQ(text(Shape{2, 150, 4}), "[2,150,4]");
}

TEST(Distance, OfTheLowestStrideIsNoNegativeNumber) {
  EXPECT_EQ(distance(3), 3u);
  EXPECT_EQ(distance(-3), 3u);
  EXPECT_EQ(distance(0), 0u);
  EXPECT_EQ(distance(std::numeric_limits<std::int64_t>::min()), std::uint64_t{1} << 63);
}

TEST(RowMajor, StridesOfTheDenseOrder) {
  EXPECT_EQ(row_major_strides({}), Strides{});
  EXPECT_EQ(row_major_strides({5}), (Strides{1}));
  EXPECT_EQ(row_major_strides({2, 3, 4}), (Strides{12, 4, 1}));
}

TEST(RowMajor, StridesOfAnEmptyTensorStayPositive) {
  EXPECT_EQ(row_major_strides({2, 0, 4}), (Strides{4, 4, 1}));
}

TEST(RowMajor, NoStridesBeyond63Bits) {
  EXPECT_EQ(row_major_strides({1, kMax, 2}), std::nullopt);
  // The outermost size is never a factor of a stride.
  EXPECT_EQ(row_major_strides({kMax, 2}), (Strides{2, 1}));
}

TEST(RowMajor, WalkVisitsConsecutivePositions) {
  const std::vector<std::int64_t> positions = walk(row_major({2, 3, 4}));
  ASSERT_EQ(positions.size(), 24U);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    EXPECT_EQ(positions[i], static_cast<std::int64_t>(i));
  }
  EXPECT_EQ(walk(row_major({})), (std::vector<std::int64_t>{0}));
}

TEST(Layout, TransposedWalk) {
  EXPECT_EQ(walk({{3, 2}, {1, 3}, 0}), (std::vector<std::int64_t>{0, 3, 1, 4, 2, 5}));
}

TEST(Layout, BroadcastAndReversedWalk) {
  EXPECT_EQ(walk({{2, 3}, {0, -1}, 2}), (std::vector<std::int64_t>{2, 1, 0, 2, 1, 0}));
}

// Dense means that the walk visits consecutive positions: both are asked of every small layout.
TEST(Layout, DenseExactlyWhenTheWalkIsConsecutive) {
  int dense = 0;
  for (std::int64_t rows = 0; rows <= 3; ++rows) {
    for (std::int64_t columns = 0; columns <= 3; ++columns) {
      for (std::int64_t row_step = -3; row_step <= 4; ++row_step) {
        for (std::int64_t column_step = -3; column_step <= 4; ++column_step) {
          const Layout layout{{rows, columns}, {row_step, column_step}, 20};
          const std::vector<std::int64_t> positions = walk(layout);
          bool consecutive = true;
          for (std::size_t i = 1; i < positions.size(); ++i) {
            consecutive = consecutive && positions[i] == positions[i - 1] + 1;
          }
          EXPECT_EQ(is_row_major_dense(layout), consecutive)
              << text(layout.shape) << text_of_sizes(layout.strides);
          dense += consecutive ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(dense, 0);
}

TEST(Layout, DenseIsDecidedBeyond63Bits) {
  const std::int64_t half = std::int64_t{1} << 40;
  EXPECT_TRUE(is_row_major_dense({{half, half}, {half, 1}, 0}));
  EXPECT_TRUE(is_row_major_dense({{1, half, half}, {0, half, 1}, 0}));
  EXPECT_FALSE(is_row_major_dense({{2, half, half}, {0, half, 1}, 0}));
}

TEST(Layout, TouchedIsTheLowestAndHighestOfTheWalk) {
  for (const Strides& strides : {Strides{3, 1}, Strides{-3, 1}, Strides{3, -1}, Strides{-4, -2},
                                 Strides{0, 2}, Strides{0, 0}}) {
    const Layout layout{{3, 4}, strides, 7};
    const std::vector<std::int64_t> positions = walk(layout);
    const ElementRange range = touched(layout);
    EXPECT_EQ(range.first, *std::min_element(positions.begin(), positions.end()));
    EXPECT_EQ(range.last, *std::max_element(positions.begin(), positions.end()));
  }
  EXPECT_EQ(touched({{3, 0}, {1, 1}, 5}).count(), 0);
  EXPECT_EQ(touched({{}, {}, 5}).count(), 1);
  EXPECT_EQ(touched({{}, {}, 5}).first, 5);
}

TEST(Layout, ReachIsTheRangeWithoutABound) {
  const Layout layout{{3, 4}, {-4, 2}, 7};
  EXPECT_TRUE(reach_of(layout).first == touched(layout).first);
  EXPECT_TRUE(reach_of(layout).last == touched(layout).last);
  // 2^40 * 2^62 is far outside, and stays a number.
  const std::int64_t many = std::int64_t{1} << 40;
  EXPECT_TRUE(reach_of({{many, many}, {kMax, kMax}, kMax}).last > __int128{1} << 100);
  EXPECT_TRUE(reach_of({{many, many}, {-kMax, 1}, 0}).first < -(__int128{1} << 100));
}

TEST(Layout, ReversedIsTheSameWalkFromItsEnd) {
  const Layout layout{{2, 3, 2}, {-7, 2, 1}, 9};
  std::vector<std::int64_t> positions = walk(layout);
  std::reverse(positions.begin(), positions.end());
  EXPECT_EQ(walk(reversed(layout)), positions);
}

TEST(Layout, RowMajorWalkGoesByIndex) {
  const Layout layout{{2, 3, 2}, {-7, 2, 1}, 9};
  std::vector<std::int64_t> positions;
  RowMajorWalk steps(layout);
  do {
    positions.push_back(steps.position());
  } while (steps.next());
  EXPECT_EQ(positions, walk(layout));
  EXPECT_EQ(steps.position(), 9);
}

TEST(Overlaps, LargeLayoutsAreDecidedByTheirSteps) {
  EXPECT_FALSE(overlaps({{1 << 20, 1 << 20}, {1 << 20, 1}, 0}));
  EXPECT_TRUE(overlaps({{1 << 20, 1 << 20}, {(1 << 20) - 1, 1}, 0}));
  EXPECT_FALSE(overlaps({{2}, {std::numeric_limits<std::int64_t>::min()}, 0}));
  EXPECT_FALSE(overlaps({{0, 5}, {0, 0}, 0}));
  EXPECT_FALSE(overlaps({{1, 5}, {0, 1}, 0}));
  EXPECT_FALSE(overlaps({{2, 2, 2}, {3, 2, 10}, 0}));  // 0 2 3 5: not nested, yet no overlap
}

RC_GTEST_PROP(Overlaps, IsWhatCountingSays, ()) {
  Layout layout;
  for (int rank = *rc::gen::inRange(0, 4); rank > 0; --rank) {
    layout.shape.append(*rc::gen::inRange<std::int64_t>(0, 5));
    layout.strides.push_back(*rc::gen::inRange<std::int64_t>(-12, 13));
  }
  const std::vector<std::int64_t> positions = walk(layout);
  const std::set<std::int64_t> places(positions.begin(), positions.end());
  RC_ASSERT(overlaps(layout) == (places.size() != positions.size()));
}

}  // namespace
}  // namespace reshape
