#include "optimized/half_bytes_cut.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

namespace reshape::optimized {
namespace {

UnitNest nest_of(std::int64_t run, Steps loops) { return {true, run, 0, 0, std::move(loops)}; }

// Calls `see(position)` for every half byte that is written, steps begin .. end - 1 of one loop.
template <class See>
void written(const UnitNest& nest, std::size_t cut, std::int64_t begin, std::int64_t end, See see,
             std::size_t depth = 0, std::int64_t at = 0) {
  if (depth == nest.loops.size()) {
    for (std::int64_t i = 0; i < nest.run; ++i) see(at + i);
    return;
  }
  const Step& loop = nest.loops[depth];
  const std::int64_t from = depth == cut ? begin : 0, to = depth == cut ? end : loop.count;
  for (std::int64_t i = from; i < to; ++i) {
    written(nest, cut, begin, end, see, depth + 1, at + i * loop.write);
  }
}

// The least step from `step` on by which a loop around these loops writes no half byte twice.
std::int64_t step_beside(const UnitNest& nest, std::int64_t count, std::int64_t step) {
  std::set<std::int64_t> inside, all;
  written(nest, nest.loops.size(), 0, 0, [&](std::int64_t half) { inside.insert(half); });
  for (;; ++step) {
    all.clear();
    for (std::int64_t i = 0; i < count; ++i) {
      for (const std::int64_t half : inside) all.insert(half + i * step);
    }
    if (std::ssize(all) == std::ssize(inside) * count) return step;
  }
}

// A dense, padded or interleaved output of up to four axes, whose input strides any order gives.
UnitNest drawn() {
  UnitNest nest = nest_of(*rc::gen::inRange<std::int64_t>(1, 4), {});
  std::int64_t write = nest.run + *rc::gen::inRange(0, 2);
  const int rank = *rc::gen::inRange(1, 5);
  for (int i = 0; i < rank; ++i) {
    const std::int64_t count = *rc::gen::element<std::int64_t>(2, 3, 4, 5, 7, 8, 17, 64, 300);
    const bool interleaved = nest.units() * count < 500 && *rc::gen::inRange(0, 2) == 0;
    if (interleaved) write = step_beside(nest, count, *rc::gen::inRange(1, 20));
    nest.loops.push_back({count, *rc::gen::element<std::int64_t>(1, -1, 2, 9, 40), write});
    std::ranges::sort(nest.loops, std::greater(), &Step::write);
    write = nest.run + *rc::gen::inRange(0, 2);
    for (const Step& loop : nest.loops) write += (loop.count - 1) * loop.write;
  }
  return nest;
}

RC_GTEST_PROP(HalfBytesCut, NoTwoPiecesWriteOneByte, ()) {
  const UnitNest nest = drawn();
  RC_PRE(nest.units() < 200000);
  const int threads = *rc::gen::inRange(2, 5);
  const HalfBytesCut cut = half_bytes_cut(nest, threads, 4);
  RC_CLASSIFY(cut.granules >= 2 && cut.loop > 0, "an inner loop");
  if (cut.granules < 2) return;
  const std::int64_t pieces = std::min<std::int64_t>(cut.granules, threads * 4);
  std::map<std::int64_t, std::int64_t> writers;  // of each byte
  std::int64_t count = 0;
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    const auto border = [&](std::int64_t at) {
      return cut.border(at, pieces, nest.loops[cut.loop].count);
    };
    RC_ASSERT(border(piece) < border(piece + 1));
    written(nest, cut.loop, border(piece), border(piece + 1), [&](std::int64_t half) {
      ++count;
      RC_ASSERT(writers.emplace(half / 2, piece).first->second == piece);
    });
  }
  RC_ASSERT(count == nest.units());
}

TEST(HalfBytesCut, ALoopThatASideGoesAlongIsCutLastAndTheLongestOfThem) {
  // Channels last to channels first, of one image and of many.
  EXPECT_EQ(half_bytes_cut(nest_of(1, {{96, 1, 50176}, {50176, 96, 1}}), 2, 4).loop, 1u);
  EXPECT_EQ(half_bytes_cut(nest_of(1, {{50176, 1, 96}, {96, 50176, 1}}), 2, 4).loop, 0u);
  const Steps many = {{8, 96 * 3136, 96 * 3136}, {96, 1, 3136}, {3136, 96, 1}};
  EXPECT_EQ(half_bytes_cut(nest_of(1, many), 2, 4).loop, 0u);
  // Rows of an odd number begin in the middle of a byte: only whole ones are shared.
  EXPECT_EQ(half_bytes_cut(nest_of(1, {{96, 1, 50177}, {50177, 96, 1}}), 2, 4).loop, 0u);
  EXPECT_LT(half_bytes_cut(nest_of(1, {{3, 1, 5}, {5, 3, 1}}), 2, 4).granules, 2);
  // Few channels are shared in as many pieces as there are threads, since each reads the whole
  // input.
  EXPECT_EQ(half_bytes_cut(nest_of(1, {{59, 1, 31693}, {31693, 59, 1}}), 2, 4).granules, 2);
}

}  // namespace
}  // namespace reshape::optimized
