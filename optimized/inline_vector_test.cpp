#include "optimized/inline_vector.h"

#include <gtest/gtest.h>

#include <span>
#include <utility>

namespace reshape::optimized {
namespace {

struct Pair {
  int first = 0;
  int second = 0;
  friend bool operator==(const Pair&, const Pair&) = default;
};

using Few = InlineVector<int, 3>;

// Values 0 .. count - 1, in place or not.
Few counted(int count) {
  Few values;
  for (int i = 0; i < count; ++i) values.push_back(i);
  return values;
}

TEST(InlineVector, HoldsWhatIsPutIn) {
  for (int count = 0; count < 20; ++count) {
    const Few values = counted(count);
    ASSERT_EQ(values.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i);
    EXPECT_EQ(std::span<const int>(values).size(), values.size());
  }
}

TEST(InlineVector, CopiesAndMovesAreApartFromTheirSource) {
  for (const int count : {0, 2, 3, 4, 11}) {
    Few source = counted(count);
    Few copy = source;
    EXPECT_EQ(copy, source);
    source.push_back(99);
    EXPECT_EQ(copy, counted(count));
    Few moved = std::move(copy);
    EXPECT_EQ(moved, counted(count));
    for (const int other : {0, 3, 7}) {
      Few assigned = counted(other);
      assigned = moved;
      EXPECT_EQ(assigned, moved);
      Few target = counted(other);
      target = std::move(assigned);
      EXPECT_EQ(target, moved);
      target.push_back(5);
      EXPECT_EQ(moved, counted(count));
    }
  }
}

TEST(InlineVector, GrowsByItsOwnValuesShrinksAndErases) {
  Few values = counted(3);
  values.push_back(values.front());
  EXPECT_EQ(values, (Few{0, 1, 2, 0}));
  values.erase(values.begin() + 1);
  EXPECT_EQ(values, (Few{0, 2, 0}));
  values.resize(5);
  EXPECT_EQ(values, (Few{0, 2, 0, 0, 0}));
  values.resize(1);
  values.pop_back();
  EXPECT_TRUE(values.empty());
}

TEST(InlineVector, SortsAndKeepsEqualOnesInOrder) {
  using Pairs = InlineVector<Pair, 4>;
  Pairs values{{1, 0}, {0, 1}, {1, 2}, {0, 3}, {2, 4}};
  sort_few(values, [](const auto& left, const auto& right) { return left.first < right.first; });
  EXPECT_EQ(values, (Pairs{{0, 1}, {0, 3}, {1, 0}, {1, 2}, {2, 4}}));
}

}  // namespace
}  // namespace reshape::optimized
