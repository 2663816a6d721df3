#include "optimized/reshape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace reshape::optimized {
namespace {

CopyPlan planned(const Layout& from, const Layout& to) {
  return *plan_copy(ElementType::i32, from, to);
}

TEST(Run, ResolvePlanAndRunAreSeparate) {
  std::vector<std::int32_t> data(12);
  std::iota(data.begin(), data.end(), 0);
  const Layout transposed{Shape{4, 3}, {1, 4}, 0};
  const CopyPlan plan = planned(transposed, row_major(Shape{2, 6}));
  std::vector<std::int32_t> output(12, -1);
  const auto run_on = [&](std::vector<std::int32_t>& to) {
    return run(plan, reinterpret_cast<const std::byte*>(data.data()),
               reinterpret_cast<std::byte*>(to.data()), nullptr);
  };
  ASSERT_EQ(run_on(output), Ran::copied);
  EXPECT_EQ(output, (std::vector<std::int32_t>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
  std::vector<std::int32_t> other(12, -1);
  ASSERT_EQ(run_on(other), Ran::copied);
  EXPECT_EQ(other, output);
}

TEST(Run, InPlaceHasNothingToDo) {
  std::array<std::int32_t, 12> buffer{};
  auto* bytes = reinterpret_cast<std::byte*>(buffer.data());
  EXPECT_EQ(run(planned(row_major(Shape{3, 4}), row_major(Shape{2, 6})), bytes, bytes, nullptr),
            Ran::in_place);
}

TEST(Run, OverlapIsToldAndNothingIsWritten) {
  std::array<std::int32_t, 16> buffer{};
  std::iota(buffer.begin(), buffer.end(), 0);
  const auto before = buffer;
  auto* bytes = reinterpret_cast<std::byte*>(buffer.data());
  const CopyPlan dense = planned(row_major(Shape{12}), row_major(Shape{3, 4}));
  for (const int distance : {1, 4, 11 * 4}) {
    EXPECT_EQ(run(dense, bytes, bytes + distance, nullptr), Ran::overlap) << distance;
  }
  EXPECT_EQ(run(planned({Shape{3, 4}, {1, 3}, 0}, row_major(Shape{12})), bytes, bytes, nullptr),
            Ran::overlap);
  EXPECT_EQ(buffer, before);
  // Neighbours that only touch do not overlap.
  const CopyPlan four = planned(row_major(Shape{4}), row_major(Shape{2, 2}));
  ASSERT_EQ(run(four, bytes, bytes + 16, nullptr), Ran::copied);
  EXPECT_EQ(buffer[7], 3);
}

TEST(Run, EmptyTensorsMayHaveNoBuffer) {
  EXPECT_EQ(run(planned(row_major(Shape{0, 4}), row_major(Shape{0})), nullptr, nullptr, nullptr),
            Ran::copied);
  EXPECT_EQ(run(planned(row_major(Shape{1}), row_major(Shape{})), nullptr, nullptr, nullptr),
            Ran::no_buffer);
}

// A copy of f32 elements from a place of the buffer to another, by run_stretch; and whether it did
// any.
bool stretched(std::int32_t* from, std::int32_t* to, std::int64_t count,
               ElementType type = ElementType::f32) {
  const std::vector<std::int64_t> sizes{count};
  Side data(LayoutView::dense(sizes)), output(LayoutView::dense(sizes));
  EXPECT_TRUE(look_at(data) && look_at(output));
  EXPECT_TRUE(data.is_one_stretch());
  return run_stretch(type, data, output, reinterpret_cast<const std::byte*>(from),
                     reinterpret_cast<std::byte*>(to));
}

TEST(RunStretch, CopiesAllOfItAndNothingElse) {
  for (const std::int64_t count : {0, 1, 7, 256, 8192}) {
    std::vector<std::int32_t> from(10000), to(10000, -1);
    std::iota(from.begin(), from.end(), 1);
    ASSERT_TRUE(stretched(from.data(), to.data(), count)) << count;
    EXPECT_TRUE(std::equal(to.begin(), to.begin() + count, from.begin())) << count;
    EXPECT_TRUE(std::all_of(to.begin() + count, to.end(), [](int value) { return value == -1; }));
  }
}

TEST(RunStretch, LeavesOverlapsHalfBytesLongOnesAndMissingBuffersToThePlan) {
  std::vector<std::int32_t> buffer(32768);
  std::iota(buffer.begin(), buffer.end(), 0);
  const auto before = buffer;
  for (const int distance : {0, 1, 9}) {
    EXPECT_FALSE(stretched(buffer.data(), buffer.data() + distance, 10)) << distance;
    EXPECT_FALSE(stretched(buffer.data() + distance, buffer.data(), 10)) << distance;
  }
  EXPECT_FALSE(stretched(buffer.data(), buffer.data() + 100, 10, ElementType::i4));
  EXPECT_FALSE(stretched(buffer.data(), buffer.data() + 16384, 8193));
  EXPECT_FALSE(stretched(nullptr, buffer.data(), 10));
  EXPECT_FALSE(stretched(buffer.data(), nullptr, 10));
  EXPECT_EQ(buffer, before);
  EXPECT_TRUE(stretched(buffer.data(), buffer.data() + 11, 10));
}

}  // namespace
}  // namespace reshape::optimized
