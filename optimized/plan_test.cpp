#include "optimized/plan.h"

#include <gtest/gtest.h>

#include <utility>

#include "optimized/axes.h"
#include "optimized/bounded_exhaustive.h"

namespace reshape::optimized {
namespace {

// Pairs of positions that `nest` reads and writes, `times` those of the walk before it.
using Moves = std::vector<std::pair<std::int64_t, std::int64_t>>;

void walk(const Loops& loops, std::size_t depth, std::int64_t read, std::int64_t write, int bits,
          Moves& moves) {
  if (depth == loops.size()) {
    // A plan for 4-bit elements may move bytes: positions are then converted to half bytes.
    if (bits == 8) {
      moves.push_back({2 * read, 2 * write});
      moves.push_back({2 * read + 1, 2 * write + 1});
    } else {
      moves.push_back({read, write});
    }
    return;
  }
  const Loop& loop = loops[depth];
  for (std::int64_t i = 0; i < loop.count; ++i) {
    walk(loops, depth + 1, read + i * loop.source_stride, write + i * loop.destination_stride, bits,
         moves);
  }
}

// What a plan moves.
Moves moves_of(const CopyPlan& plan) {
  Moves moves;
  for (SeamWalk seams(plan.seams); seams.more(); seams.next()) {
    Loops loops = plan.nest.loops;
    loops.push_back(seams.run().loop);
    walk(loops, 0, plan.nest.read_offset + seams.run().read_offset,
         plan.nest.write_offset + seams.run().write_offset, plan.nest.bits == 8 ? 8 : 4, moves);
  }
  std::sort(moves.begin(), moves.end());
  return moves;
}

Moves naive_moves(const Layout& data, const Layout& output) {
  const std::vector<std::int64_t> read = positions_of(data);
  const std::vector<std::int64_t> write = positions_of(output);
  Moves moves;
  for (std::size_t i = 0; i < read.size(); ++i) moves.push_back({read[i], write[i]});
  std::sort(moves.begin(), moves.end());
  return moves;
}

bool as_few_as_can_be(const Loops& loops) {
  for (const Loop& outer : loops) {
    if (outer.count == 1 || outer.destination_stride <= 0) return false;
    for (const Loop& inner : loops) {
      if (&outer != &inner && outer.source_stride == inner.count * inner.source_stride &&
          outer.destination_stride == inner.count * inner.destination_stride) {
        return false;
      }
    }
  }
  return std::is_sorted(loops.begin(), loops.end(), [](const Loop& left, const Loop& right) {
    return left.destination_stride > right.destination_stride;
  });
}

struct Tally {
  std::int64_t plans = 0;
  std::int64_t with_seams = 0;
  std::int64_t in_bytes = 0;
};

void expect_moves(ElementType type, const Layout& data, const Layout& output, Tally& tally) {
  const Result<CopyPlan> plan = plan_copy(type, data, output);
  const std::string asked = text(data.shape) + text_of_sizes(data.strides) + " to " +
                            text(output.shape) + text_of_sizes(output.strides);
  ASSERT_TRUE(plan) << asked << ": " << plan.error().text();
  ++tally.plans;
  tally.with_seams += plan->seams.empty() ? 0 : 1;
  tally.in_bytes += plan->nest.bits == 8 ? 1 : 0;
  const Moves right = naive_moves(data, output);
  ASSERT_EQ(moves_of(*plan), right) << asked << '\n' << dump(*plan);
  ASSERT_TRUE(as_few_as_can_be(plan->nest.loops)) << asked << '\n' << dump(*plan);
}

// Layouts of the data against layouts of the output: all pairs, or thousands spread evenly over
// them.
Tally try_volume(ElementType type, std::int64_t volume, std::size_t highest_rank) {
  std::vector<Layout> reads;
  std::vector<Layout> writes;
  for (const Shape& shape : shapes_of(volume, 0, highest_rank)) {
    each_layout(shape, 3, [&](const Layout& layout) { reads.push_back(layout); });
    each_layout(shape, 2, [&](const Layout& layout) { writes.push_back(layout); });
  }
  Tally tally;
  const std::size_t stride = std::max<std::size_t>(1, reads.size() * writes.size() / 8000) | 1;
  for (std::size_t i = 0; i < reads.size() * writes.size(); i += stride) {
    expect_moves(type, reads[i / writes.size()], writes[i % writes.size()], tally);
    if (testing::Test::HasFatalFailure()) break;
  }
  return tally;
}

TEST(PlanCopy, MovesEachElementOnceToItsPlace) {
  Tally all;
  for (std::int64_t volume = 1; volume <= 24; ++volume) {
    const Tally tally = try_volume(ElementType::f32, volume, volume <= 6 ? 3 : 4);
    all.plans += tally.plans;
    all.with_seams += tally.with_seams;
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(all.plans, 100000);
  EXPECT_GT(all.with_seams, 1000);
}

TEST(PlanCopy, MovesHalfBytes) {
  Tally all;
  for (const std::int64_t volume : {2, 4, 6, 8, 12, 24}) {
    const Tally tally = try_volume(ElementType::u4, volume, 3);
    all.plans += tally.plans;
    all.in_bytes += tally.in_bytes;
    if (HasFatalFailure()) return;
  }
  const Layout pairs{Shape{2, 3, 2}, {12, 4, 1}, 2};
  expect_moves(ElementType::i4, pairs, row_major(Shape{12}), all);
  EXPECT_GT(all.in_bytes, 0);
  EXPECT_LT(all.in_bytes, all.plans);
}

TEST(PlanCopy, PairsOfHalfBytesMoveAsBytes) {
  const Layout pairs{Shape{2, 3, 2}, {12, 4, 1}, 2};
  const Result<CopyPlan> plan = plan_copy(ElementType::i4, pairs, row_major(Shape{3, 4}));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->nest.bits, 8);
  EXPECT_EQ(plan->nest.read_offset, 1);
  EXPECT_EQ(plan->nest.loops, (Loops{{6, 2, 1}}));
  EXPECT_EQ(plan->read_bytes, (ByteRange{1, 12}));
  EXPECT_EQ(plan->write_bytes, (ByteRange{0, 6}));
}

TEST(PlanCopy, HalfBytesThatStartInAByteStayHalves) {
  Layout pairs{Shape{2, 3, 2}, {12, 4, 1}, 2};
  Layout output = row_major(Shape{3, 4});
  Tally tally;
  output.offset = 1;
  expect_moves(ElementType::i4, pairs, output, tally);
  pairs.offset = 1;
  expect_moves(ElementType::i4, pairs, output, tally);
  output.offset = 0;
  expect_moves(ElementType::i4, pairs, output, tally);
  pairs = {Shape{3, 2}, {3, 1}, 0};
  expect_moves(ElementType::i4, pairs, row_major(Shape{6}), tally);
  // Seams whose runs start inside bytes on one side, and on neither.
  const Layout odd_read{Shape{2, 3, 2}, {20, 5, 1}, 0};
  const Layout even_read{Shape{2, 3, 2}, {20, 6, 1}, 0};
  const Layout odd_write{Shape{3, 2, 2}, {11, 4, 1}, 0};
  const Layout even_write{Shape{3, 2, 2}, {12, 4, 1}, 0};
  expect_moves(ElementType::i4, odd_read, even_write, tally);
  expect_moves(ElementType::i4, even_read, odd_write, tally);
  EXPECT_EQ(tally.in_bytes, 0);
  expect_moves(ElementType::i4, even_read, even_write, tally);
  EXPECT_EQ(tally.in_bytes, 1);
  EXPECT_EQ(tally.with_seams, 3);
}

TEST(PlanCopy, FoldsAcrossTheReshape) {
  const auto loops = [](const Layout& data, const Layout& output) {
    return plan_copy(ElementType::f32, data, output)->nest.loops;
  };
  const Layout dense = row_major(Shape{4, 6, 10});
  EXPECT_EQ(loops(dense, row_major(Shape{15, 16})), (Loops{{240, 1, 1}}));
  EXPECT_EQ(loops(dense, {Shape{24, 10}, {16, 1}, 0}), (Loops{{24, 10, 16}, {10, 1, 1}}));
  // A transposed reading of 6x4 into any shape of 24.
  const Layout transposed{Shape{4, 6}, {1, 4}, 0};
  EXPECT_EQ(loops(transposed, row_major(Shape{2, 3, 4})), (Loops{{4, 1, 6}, {6, 4, 1}}));
  // Reversed on both sides is not reversed at all.
  EXPECT_EQ(loops({Shape{8}, {-1}, 7}, {Shape{2, 4}, {-4, -1}, 7}), (Loops{{8, 1, 1}}));
  EXPECT_EQ(loops({Shape{3, 4}, {0, 0}, 0}, row_major(Shape{12})), (Loops{{12, 0, 1}}));
  EXPECT_EQ(loops(row_major(Shape{}), row_major(Shape{1, 1})), (Loops{}));
  EXPECT_EQ(loops(row_major(Shape{0, 3}), row_major(Shape{0})), (Loops{{0, 0, 0}}));
}

TEST(PlanCopy, ASeamIsAsShortAsItCanBe) {
  const Layout data{Shape{5, 100, 3, 7}, {100 * 40, 40, 10, 1}, 0};
  const Layout output{Shape{5, 150, 14}, {150 * 16, 16, 1}, 0};
  const Result<CopyPlan> plan = plan_copy(ElementType::f32, data, output);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->seams.size(), 1u);
  EXPECT_EQ(plan->seams[0], (Seam{6, {{2, 40}, {3, 10}}, {{3, 16}, {2, 7}}}));
  EXPECT_EQ(plan->nest.loops, (Loops{{250, 80, 48}, {7, 1, 1}}));
}

TEST(Plan, AliasOnlyWhereAllowedAndAsked) {
  PlanOptions options{
      ElementType::f32, {Shape{2, 6}, {8, 1}, 4}, Shape{2, 2, 3}, std::nullopt, true};
  Result<ReshapePlan> made = plan(options);
  ASSERT_TRUE(made);
  ASSERT_TRUE(std::holds_alternative<AliasPlan>(*made));
  EXPECT_EQ(std::get<AliasPlan>(*made).layout, (Layout{Shape{2, 2, 3}, {8, 3, 1}, 4}));
  EXPECT_EQ(dump(*made), "view [2,2,3] with strides [8,3,1] from element 4, nothing moves\n");

  options.output_layout = Layout{Shape{2, 2, 3}, {8, 3, 1}, 4};
  EXPECT_TRUE(std::holds_alternative<AliasPlan>(*plan(options)));
  options.output_layout->offset = 0;
  EXPECT_TRUE(std::holds_alternative<CopyPlan>(*plan(options)));
  options.output_layout.reset();
  options.alias_allowed = false;
  made = plan(options);
  ASSERT_TRUE(std::holds_alternative<CopyPlan>(*made));
  EXPECT_EQ(dump(*made),
            "copy of 32-bit elements, reads bytes 16 to 72, writes bytes 0 to 48\n"
            "  from element 4 to element 0\n"
            "  loop 2: reads +8, writes +6\n"
            "  loop 6: reads +1, writes +1\n");
}

TEST(Plan, SaysWhatIsWrong) {
  const auto why = [](const PlanOptions& options) {
    const Result<ReshapePlan> made = plan(options);
    return made ? "" : made.error().text();
  };
  const Layout six = row_major(Shape{6});
  EXPECT_EQ(why({ElementType::f32, six, Shape{5}, std::nullopt, true}),
            "the data [6] and the output [5] hold different numbers of elements");
  EXPECT_EQ(why({ElementType::f32, {Shape{6}, {}, 0}, Shape{6}, std::nullopt, true}),
            "the data has 1 sizes but 0 strides");
  EXPECT_EQ(
      why({ElementType::f32, {Shape{6}, {std::int64_t{1} << 61}, 0}, Shape{6}, std::nullopt, true}),
      "the data [6] with strides [2305843009213693952] reaches beyond what can be addressed");
  EXPECT_EQ(
      why({ElementType::f32, six, Shape{2, 3}, Layout{Shape{2, 3}, {0, 1}, 0}, true}),
      "the output [2,3] with strides [0,1] puts two elements at one place, or cannot be shown "
      "not to");
  EXPECT_EQ(why({ElementType::f32, six, Shape{2, 3}, Layout{Shape{3, 2}, {2, 1}, 0}, true}),
            "the output layout is of [3,2], not of [2,3]");
}

TEST(AllApart, AsCountingPositionsSays) {
  std::int64_t apart = 0;
  std::int64_t together = 0;
  for (std::int64_t a = 1; a <= 4; ++a) {
    for (std::int64_t b = 1; b <= 4; ++b) {
      for (std::int64_t s = -5; s <= 5; ++s) {
        for (std::int64_t t = -5; t <= 5; ++t) {
          for (std::int64_t u = 0; u <= 12; ++u) {
            const Layout layout{Shape{a, b, 2}, {s, t, u}, 100};
            std::vector<std::int64_t> positions = positions_of(layout);
            std::sort(positions.begin(), positions.end());
            const bool unique =
                std::adjacent_find(positions.begin(), positions.end()) == positions.end();
            ++(unique ? apart : together);
            Axes axes;
            collapse(layout, axes);
            ASSERT_EQ(non_overlapping(axes), unique)
                << text(layout.shape) << text_of_sizes(layout.strides);
          }
        }
      }
    }
  }
  EXPECT_GT(apart, 1000);
  EXPECT_GT(together, 1000);
}

// Sides whose strides are not spelled out are those of the dense strides.
TEST(Sides, DenseOnesNeedNoStrides) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 40;
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{6}, Shape{2, 1, 3}, Shape{4, 0, 2},
                             Shape{kLarge, kLarge, 0}, Shape{kLarge, 1}}) {
    Side dense(LayoutView::dense(shape.sizes()));
    ASSERT_TRUE(look_at(dense)) << text(shape);
    Strides strides(shape.rank());
    if (!row_major_strides(shape.sizes(), strides)) continue;
    const Layout layout{shape, strides, 0};
    Side spelled(layout);
    ASSERT_TRUE(look_at(spelled)) << text(shape);
    EXPECT_EQ(dense.volume, spelled.volume) << text(shape);
    EXPECT_EQ(dense.axes, spelled.axes) << text(shape);
    EXPECT_TRUE(dense.is_one_stretch() && spelled.is_one_stretch()) << text(shape);
  }
  const std::vector<std::int64_t> too_many{kLarge, kLarge};
  Side beyond(LayoutView::dense(too_many));
  EXPECT_FALSE(look_at(beyond));
  EXPECT_EQ(fault_of("data", beyond).text(),
            "the data [1099511627776,1099511627776] has more than 2^63-1 elements");
}

}  // namespace
}  // namespace reshape::optimized
