#include <gtest/gtest.h>

#include "optimized/bounded_exhaustive.h"
#include "optimized/plan.h"

namespace reshape::optimized {
namespace {

std::optional<Layout> view_of(const Layout& data, const Shape& output) {
  Layout view{output, Strides(output.rank()), data.offset};
  const Result<bool> exists = plan_view(data, output.sizes(), view.strides);
  return exists && *exists ? std::optional(view) : std::nullopt;
}

// Whether strides exist that read `positions` as `output`, decided in another way than the plan's:
// the stride of an axis can only be the distance to the element one index further along it, so
// there is one candidate for each axis. Either these fit every element or no strides do.
bool some_strides_fit(const std::vector<std::int64_t>& positions, const Shape& output) {
  Layout candidate{output, Strides(output.rank(), 0), positions.front()};
  std::size_t inner = 1;
  for (std::size_t axis = output.rank(); axis-- > 0;) {
    if (output[axis] > 1) candidate.strides[axis] = positions[inner] - positions.front();
    inner *= static_cast<std::size_t>(output[axis]);
  }
  return positions_of(candidate) == positions;
}

// The views found and the views refused over all layouts of all shapes of these ranks.
struct Tally {
  std::int64_t views = 0;
  std::int64_t copies = 0;
};

Tally try_all(std::int64_t volume, std::size_t lowest_rank, std::size_t highest_rank, int turns) {
  const std::vector<Shape> outputs = shapes_of(volume, 0, 4);
  Tally tally;
  for (const Shape& shape : shapes_of(volume, lowest_rank, highest_rank)) {
    each_layout(shape, turns, [&](const Layout& data) {
      const std::vector<std::int64_t> positions = positions_of(data);
      for (const Shape& output : outputs) {
        const std::optional<Layout> view = view_of(data, output);
        const bool exists = some_strides_fit(positions, output);
        ++(exists ? tally.views : tally.copies);
        if (view.has_value() != exists) {
          ADD_FAILURE() << text(shape) << " strides " << text_of_sizes(data.strides) << " as "
                        << text(output) << (exists ? " was refused" : " was claimed");
          return;
        }
        if (view && positions_of(*view) != positions) {
          ADD_FAILURE() << text(shape) << " strides " << text_of_sizes(data.strides) << " as "
                        << text(output) << " reads elsewhere";
          return;
        }
      }
    });
  }
  return tally;
}

TEST(View, NeverRefusedAndNeverClaimedWrongly) {
  Tally all;
  for (std::int64_t volume = 1; volume <= 24; ++volume) {
    const Tally tally = try_all(volume, 0, volume <= 12 ? 3 : 2, 3);
    all.views += tally.views;
    all.copies += tally.copies;
  }
  EXPECT_GT(all.views, 100000);
  EXPECT_GT(all.copies, 100000);
}

TEST(View, OfThreeAxesWithManyElements) {
  for (const std::int64_t volume : {16, 18, 24}) {
    const Tally tally = try_all(volume, 3, 3, 2);
    EXPECT_GT(tally.views, 0);
    EXPECT_GT(tally.copies, 0);
  }
}

TEST(View, OfFourAxes) {
  for (const std::int64_t volume : {8, 12, 24}) {
    const Tally tally = try_all(volume, 4, 4, 1);
    EXPECT_GT(tally.views, 0);
    EXPECT_GT(tally.copies, 0);
  }
}

TEST(View, OfNoElementsAlwaysExists) {
  const Layout data{Shape{0, 3}, {7, -2}, 5};
  const std::optional<Layout> view = view_of(data, Shape{4, 0, 2});
  ASSERT_TRUE(view);
  EXPECT_EQ(*view, (Layout{Shape{4, 0, 2}, {2, 2, 1}, 5}));
  const std::int64_t large = std::int64_t{1} << 40;
  ASSERT_TRUE(view_of(data, Shape{0, large, large}));
}

TEST(View, StepsOfSizesOfOneDoNotMatter) {
  const std::int64_t odd = -77;
  const Layout data{Shape{2, 1, 3}, {3, odd, 1}, 0};
  EXPECT_EQ(view_of(data, Shape{6})->strides, Strides{1});
}

}  // namespace
}  // namespace reshape::optimized
