// Which row of the table a nest goes to, and what its calls are handed.
#include "optimized/kernels/table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "optimized/kernels/arrangements.h"
#include "optimized/kernels/machine.h"
#include "optimized/kernels/share.h"
#include "optimized/kernels/trial.h"

namespace reshape::optimized {
namespace {

TEST(Table, HasARowForAnyHalvesAndOneForAnyBytes) {
  EXPECT_EQ(kernels().back().name, "strided");
  EXPECT_TRUE(kernels().back().when(in_units({64, 0, 0, {{3, -5, 7}, {2, 0, 1}}})));
  const auto halves = std::ranges::find(kernels(), "half_bytes", &Kernel::name);
  ASSERT_NE(halves, kernels().end());
  EXPECT_TRUE(halves->when(in_units({4, 0, 1, {{3, -5, 7}, {2, 0, 1}}})));
}

TEST(Table, SaysOfEveryKernelWhatItIsFor) {
  for (const Kernel& kernel : kernels()) EXPECT_NE(what_for(kernel), "") << kernel.name;
}

TEST(Table, PicksWhatTheNestIsFor) {
  const auto picked_on = [](std::string_view target, const LoopNest& nest) {
    return choose(in_units(nest), {{target, 0}}).kernel->name;
  };
  const auto picked = [&](const LoopNest& nest) { return picked_on("avx512_vbmi", nest); };
  const auto picked_to_keep = [](const LoopNest& nest) {
    return choose(in_units(nest), {{"avx512_vbmi", 0}, true}).kernel->name;
  };
  EXPECT_EQ(picked({32, 0, 0, {{100, 1, 1}}}), "contiguous");
  EXPECT_EQ(picked({32, 0, 0, {{10, 100, 100}, {100, 1, 1}}}), "contiguous");
  EXPECT_EQ(picked(permuted_nest(32, {64, 64}, {1, 0})), "transpose");
  EXPECT_EQ(picked(permuted_nest(32, {224, 3}, {1, 0})), "interleave");
  EXPECT_EQ(picked(permuted_nest(8, {3, 224}, {1, 0})), "deinterleave");
  EXPECT_EQ(picked(permuted_nest(16, {12, 512, 64}, {1, 0, 2})), "rows");
  EXPECT_EQ(picked({16, 0, 0, {{10, 1, 512}, {512, 0, 1}}}), "fill");
  // Of short runs several are written at a time.
  EXPECT_EQ(picked({32, 0, 0, {{1024, 1, 5}, {5, 0, 1}}}), "fill");
  EXPECT_EQ(picked({32, 0, 0, {{1024, 1, 4}, {4, 0, 1}}}), "interleave");
  EXPECT_EQ(picked({8, 0, 0, {{1024, 1, 17}, {17, 0, 1}}}), "fill");
  EXPECT_EQ(picked({8, 0, 0, {{1024, 1, 16}, {16, 0, 1}}}), "interleave");
  EXPECT_EQ(picked({8, 0, 0, {{65536, 1, 7}, {7, 0, 1}}}), "gather");
  EXPECT_EQ(picked({8, 0, 0, {{65536, 1, 3}, {3, 0, 1}}}), "interleave");
  EXPECT_EQ(picked(permuted_nest(32, {2048, 3, 13}, {0, 2, 1})), "shuffle");
  EXPECT_EQ(picked(permuted_nest(32, {512, 3, 25}, {0, 2, 1})), "deinterleave");
  EXPECT_EQ(picked(permuted_nest(32, {512, 25, 3}, {0, 2, 1})), "interleave");
  EXPECT_EQ(picked({8, 0, 0, {{40960, 8, 8}, {8, -1, 1}}}), "gather");
  EXPECT_EQ(picked({8, 0, 0, {{40960, 7, 7}, {7, -1, 1}}}), "shuffle");
  EXPECT_EQ(picked_on("avx512", permuted_nest(16, {1024, 3, 25}, {0, 2, 1})), "shuffle");
  EXPECT_EQ(picked_on("avx512", permuted_nest(8, {512, 3, 25}, {0, 2, 1})), "deinterleave");
  EXPECT_EQ(picked_on("avx2", permuted_nest(32, {512, 3, 25}, {0, 2, 1})), "deinterleave");
  EXPECT_EQ(picked(permuted_nest(32, {822, 4, 8, 3}, {1, 3, 2, 0})), "permute");
  EXPECT_EQ(picked(permuted_nest(8, {9, 12193}, {1, 0})), "deinterleave");
  EXPECT_EQ(picked(permuted_nest(32, {2, 2, 500}, {2, 1, 0})), "deinterleave");
  EXPECT_EQ(picked(permuted_nest(16, {2, 2, 2, 500}, {3, 2, 1, 0})), "deinterleave");
  EXPECT_EQ(picked(permuted_nest(16, {3, 3, 500}, {2, 1, 0})), "permute");
  EXPECT_EQ(picked_on("avx2", permuted_nest(8, {9, 12193}, {1, 0})), "transpose");
  EXPECT_EQ(picked({16, 0, 0, {{512, 2, 1}}}), "steps");
  EXPECT_EQ(picked({16, 0, 0, {{512, -1, 1}}}), "steps");
  EXPECT_EQ(picked({8, 0, 0, {{512, 3, 1}}}), "steps");
  EXPECT_EQ(picked({4, 0, 0, {{512, 2, 1}}}), "half_bytes");
  EXPECT_EQ(picked({4, 0, 0, {{3, 30, 32}, {20, 1, 1}}}), "rows");
  EXPECT_EQ(picked({32, 0, 0, {{512, -5, 1}}}), "packed");
  EXPECT_EQ(picked_on("avx2", {32, 0, 0, {{512, -5, 1}}}), "strided");
  EXPECT_EQ(picked({32, 0, 0, {{512, 16, 1}}}), "strided");
  EXPECT_EQ(picked({8, 0, 0, {{40, 300, 300}, {300, -1, 1}}}), "steps");
  EXPECT_EQ(picked({8, 0, 0, {{512, -3, 3}, {3, 1, 1}}}), "packed");
  EXPECT_EQ(picked({8, 0, 0, {{512, 4, 3}, {3, 1, 1}}}), "packed");
  EXPECT_EQ(picked({8, 0, 0, {{512, 5, 1}}}), "packed");
  // Rows that do not fill two windows, and few runs, are not packed.
  EXPECT_EQ(picked({64, 0, 0, {{300, 4, 4}, {4, -1, 1}}}), "strided");
  EXPECT_EQ(picked({8, 0, 0, {{128, 5, 1}}}), "strided");
  const LoopNest short_axes{8, 0, 0, {{16, 8, 88}, {2, 1, 44}, {4, 2, 11}, {11, 128, 1}}};
  // Tables are made where they are kept, or cost less than they gain.
  EXPECT_EQ(picked_to_keep(short_axes), "gather");
  EXPECT_EQ(picked(short_axes), "strided");
  EXPECT_EQ(picked({4, 0, 0, {{4000, 7, 7}, {7, -1, 1}}}), "gather");
  // Each vector of a few planes of 4-bit elements needs as many windows as there are planes; more
  // planes are copied as bytes.
  EXPECT_EQ(picked(permuted_nest(4, {4, 30000}, {1, 0})), "gather");
  EXPECT_EQ(picked(permuted_nest(4, {9, 30000}, {1, 0})), "half_bytes");
  // Blocks that do not fill a vector together are not shuffled.
  const LoopNest few_blocks{
      8, 0, 0, {{25, 96, 96}, {2, 2400, 48}, {8, 6, 6}, {3, 1, 2}, {2, 3, 1}}};
  EXPECT_EQ(picked_to_keep(few_blocks), "gather");
  // A lookup for every second element of a column takes longer than the elements.
  EXPECT_EQ(picked_to_keep({16, 0, 0, {{2000, 17, 1}}}), "strided");
  EXPECT_EQ(picked_to_keep({32, 0, 0, {{2000, 10, 1}}}), "strided");
  EXPECT_EQ(picked_to_keep({8, 0, 0, {{4000, 15, 1}}}), "packed");
  // Tiles are at least a vector wide on one side, and no lookup is made for a few elements.
  const LoopNest no_tile{
      8, 0, 0, {{16, 32, 768}, {8, 512, 96}, {8, 1, 12}, {4, 8, 3}, {3, 4096, 1}}};
  EXPECT_EQ(picked_to_keep(no_tile), "gather");
  EXPECT_EQ(picked_on("avx2", no_tile), "strided");
  EXPECT_EQ(picked_to_keep(permuted_nest(8, {30, 12, 4, 28, 4}, {0, 2, 4, 1, 3})), "gather");
  EXPECT_EQ(picked_to_keep(permuted_nest(8, {3, 64, 3, 64, 3}, {0, 2, 4, 1, 3})), "gather");
  // Small pieces are gathered as words where a processor does that fast.
  const std::string_view words = gathers_words_fast() ? "gather words" : "permute";
  EXPECT_EQ(picked_to_keep(permuted_nest(32, {6, 39, 5, 4, 3, 4}, {5, 2, 3, 1, 0, 4})), words);
  const LoopNest pairs = permuted_nest(16, {2, 369, 264, 2, 2}, {4, 2, 1, 0, 3});
  EXPECT_EQ(picked(pairs), words);
  EXPECT_EQ(picked_on("avx2", pairs), "permute");
  EXPECT_EQ(picked_to_keep(permuted_nest(32, {4, 147, 16, 8}, {1, 3, 2, 0})), "permute");
  // Not where lines of which a block reads little are read again much later.
  EXPECT_EQ(picked(permuted_nest(32, {15, 74307, 2, 3}, {3, 1, 0, 2})), "permute");
  // Short rows are listed where they are wide and few, but where two vectors hold a block.
  EXPECT_EQ(picked_to_keep(permuted_nest(16, {36, 4, 8, 8}, {0, 2, 1, 3})), "listed");
  EXPECT_EQ(picked_to_keep(permuted_nest(64, {26, 7, 8}, {0, 2, 1})), "listed");
  EXPECT_EQ(picked_to_keep(permuted_nest(64, {26, 8, 7}, {0, 2, 1})), "listed");
  EXPECT_EQ(picked_to_keep(permuted_nest(64, {26, 3, 8}, {0, 2, 1})), "deinterleave");
  EXPECT_EQ(picked_to_keep(permuted_nest(64, {2, 6, 3, 7, 3}, {0, 2, 4, 1, 3})), "listed");
  EXPECT_EQ(picked_to_keep(permuted_nest(64, {100, 4, 4}, {0, 2, 1})), "shuffle");
  EXPECT_EQ(picked_to_keep(permuted_nest(64, {100, 3, 3}, {0, 2, 1})), "gather");
  EXPECT_EQ(picked(permuted_nest(64, {5000, 3, 3}, {0, 2, 1})), "gather");
  EXPECT_EQ(picked_to_keep(permuted_nest(64, {100, 8, 8}, {0, 2, 1})), "transpose");
  EXPECT_EQ(picked_to_keep(permuted_nest(64, {10, 8, 8}, {0, 2, 1})), "listed");
  EXPECT_EQ(picked_to_keep(permuted_nest(64, {121, 8}, {1, 0})), "transpose");
  // Many planes are dealt in tiles where the rows leave around the caches.
  EXPECT_EQ(picked(permuted_nest(64, {9, 1 << 20}, {1, 0})), "deinterleave");
  EXPECT_EQ(picked(permuted_nest(64, {9, 15000}, {1, 0})), "transpose");
  EXPECT_EQ(picked(permuted_nest(64, {9, 30000}, {1, 0})),
            shares_last_cache() ? "deinterleave" : "transpose");
}

// Where pieces are read that are shorter than what is written, their neighbours are read next.
TEST(Table, ReadsNeighboursSoon) {
  const auto chosen = [](const LoopNest& nest) {
    return choose(in_units(nest), {{"avx512_vbmi", 0}}).arrangement;
  };
  const Arrangement dealt = chosen(permuted_nest(32, {64, 4, 163, 16, 7}, {0, 2, 4, 1, 3}));
  ASSERT_EQ(dealt.inner.size(), 3U);
  EXPECT_EQ(dealt.inner[2], (Step{4, 64, 163 * 7 * 16 * 4}));
  ASSERT_EQ(dealt.outer.size(), 2U);
  EXPECT_EQ(dealt.outer[1], (Step{163, 7 * 4 * 16 * 4, 7 * 16 * 4}));
  // In the first cache the writer's order is as good.
  const Arrangement small = chosen(permuted_nest(32, {2, 4, 3, 16, 7}, {0, 2, 4, 1, 3}));
  EXPECT_EQ(small.inner[2], (Step{3, 7 * 4 * 16 * 4, 7 * 16 * 4}));
}

// Pieces that each lie in a page of their own: the loops over neighbours within a page are taken,
// the nearest innermost, before those that lead to other pages.
TEST(Table, ReadsThePagesOfALargeCopySoon) {
  const auto chosen = [](const LoopNest& nest) {
    return choose(in_units(nest), {{"avx512_vbmi", 0}}).arrangement;
  };
  const Arrangement permuted =
      chosen(permuted_nest(16, {2, 7, 360, 12, 36, 16}, {2, 5, 1, 0, 4, 3}));
  const std::vector<Step> last(permuted.inner.end() - 3, permuted.inner.end());
  EXPECT_EQ(last,
            (std::vector<Step>{{2, 864, 34836480}, {7, 1728, 4976640}, {360, 193536, 13824}}));
}

// What leaves around the caches is whole lines: short rows of the writer are joined to lines, and
// the reader is left at least a tile. What stays in them fills the reader's lines instead.
TEST(Table, JoinsTheWritersShortRowsAroundTheCaches) {
  const auto along_write = [](std::int64_t steps, std::int64_t read) {
    const std::optional<Arrangement> permuted =
        several_loops_differ(in_units(permuted_nest(16, {steps, read, 8, 10}, {0, 3, 2, 1})));
    std::int64_t count = 1;
    for (std::size_t i = 0; i < permuted->along_write; ++i) count *= permuted->inner[i].count;
    return count;
  };
  EXPECT_EQ(along_write(400, 4), 10);
  EXPECT_EQ(along_write(400000, 4), 80);
  EXPECT_EQ(along_write(400000, 3), 10);
}

// A thread's share of a loop may be a single step. Its step then may equal the run without
// continuing it.
TEST(Share, TakesNoPartOfOneStepForTheWholeLoop) {
  Arrangement arrangement;
  arrangement.run = 8;
  arrangement.inner = {{100, 8, 8}, {1, 800, 800}, {3, 800, 2400}};
  arrangement.outer = {{5, 4000, 7200}};
  const Target& target = runnable_targets().front();
  std::vector<std::byte> read(5 * 4000);
  for (std::size_t i = 0; i < read.size(); ++i) read[i] = static_cast<std::byte>(i * 7 % 251);
  const auto copied = [&](bool stream) {
    std::vector<std::byte> write(5 * 7200, std::byte{0xA5});
    Share share(arrangement, kernels().back().run[target.slot], target.slot);
    share.work.stream = stream;
    share.walk(read.data(), write.data());
    return write;
  };
  EXPECT_EQ(copied(true), copied(false));
}

// Copies `times` steps of the outermost loop by the arrangement, which may be several of the nest's,
// around the caches, and compares with the kernel that copies anything.
void expect_rows_copied(UnitNest nest, Arrangement arrangement, const Run* runs,
                        std::int64_t times) {
  Step &outer = arrangement.outer.front(), &of_nest = nest.loops.front();
  outer.count = times;
  of_nest.count = times * (outer.write / of_nest.write);
  std::vector<std::byte> read(static_cast<std::size_t>(times * outer.read));
  std::vector<std::byte> right(static_cast<std::size_t>(times * outer.write));
  for (std::size_t i = 0; i < read.size(); ++i) read[i] = static_cast<std::byte>(i * 7 % 251);
  const Target& target = runnable_targets().front();
  Share(*whole_bytes(nest), kernels().back().run[target.slot], target.slot)
      .walk(read.data(), right.data());
  std::vector<std::byte> write(right.size());
  Share share(arrangement, runs[target.slot], target.slot);
  share.work.stream = true;
  share.walk(read.data(), write.data());
  EXPECT_EQ(write, right);
}

// Two rows of 28 bytes are not worth a call: the kernel takes some steps of the loop around them as
// well, and of the one around both where that is short.
TEST(Rows, AreTakenWithAsManyStepsAsMakeACallWorthIt) {
  for (const std::int64_t steps : {2, 83, 128, 1162}) {
    const std::int64_t side = 300 * steps, block = 56 * steps;
    UnitNest nest;
    nest.run = 28;
    nest.loops = {{std::int64_t{1} << 40, 2 * side, block}, {steps, 300, 56}, {2, side, 28}};
    std::optional<Arrangement> arrangement = rows(nest);
    ASSERT_TRUE(arrangement);
    std::int64_t bytes = 28;
    for (const Step& loop : arrangement->inner) bytes *= loop.count;
    EXPECT_GE(bytes, steps == 83 ? 56 : 784) << steps;
    EXPECT_LE(bytes, 4096) << steps;
    expect_rows_copied(nest, *arrangement, row_runs(), 3);
  }
}

// Rows that follow each other in the input are taken together, for tiles: many more of them than a
// tile has, in both loops, and few.
TEST(RowTiles, AreTakenWhereRowsFollowEachOtherInTheInput) {
  for (const std::int64_t steps : {147, 1162}) {
    for (const std::int64_t across : {19, 73, 311}) {
      for (const std::int64_t gap : {0, 5}) {
        const std::int64_t side = 28 * steps, row = 28 * across + gap;
        UnitNest nest;
        nest.run = 28;
        nest.loops = {{std::int64_t{1} << 30, across * side, steps * row},
                      {steps, 28, row},
                      {across, side, 28}};
        const std::optional<Arrangement> arrangement = short_rows_across(nest);
        ASSERT_TRUE(arrangement);
        ASSERT_EQ(arrangement->inner.size(), 2U);
        EXPECT_EQ(arrangement->inner[0], nest.loops[2]);
        EXPECT_EQ(arrangement->inner[1], nest.loops[1]);
        expect_rows_copied(nest, *arrangement, row_tile_runs(), 2);
      }
    }
  }
}

}  // namespace
}  // namespace reshape::optimized
