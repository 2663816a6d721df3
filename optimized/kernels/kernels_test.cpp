// Every kernel of the table, on every target of this processor, with sizes around every vector's
// tail.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "optimized/kernels/trial.h"

namespace reshape::optimized {

// Tests are listed by what they run on.
void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

std::string key(const Kernel& kernel) {
  return std::string(kernel.name) + "/" + std::to_string(kernel.bytes);
}

// Runs `nest` by every kernel that applies to it, through the caches and around them; 4-bit
// elements also as PreparedCopy chooses, which may be as bytes. Counts the kernels that ran.
void check(const LoopNest& nest, const Target& target, int read_shift, int write_shift,
           std::map<std::string, int>& ran) {
  Trial trial(nest, read_shift, write_shift);
  const UnitNest units = in_units(trial.nest());
  if (units.half_bytes) {
    const auto as_chosen = [&](const LoopNest& placed, const std::byte* read, std::byte* write) {
      PreparedCopy(placed, target).run(read, write, nullptr);
    };
    ASSERT_EQ(trial.difference(as_chosen), "") << target.name << ", " << text(nest);
  }
  for (const Kernel& kernel : kernels()) {
    // Rows of the table that differ only in when they pay are tried once.
    const auto* same = std::ranges::find_if(kernels(), [&](const Kernel& row) {
                         return row.run == kernel.run && row.when == kernel.when;
                       }).base();
    if (units.run == 0 || same != &kernel || !kernel.when(units)) continue;
    ++ran[key(kernel)];
    for (const bool stream : {false, true}) {
      for (const bool kept : {false, true}) {
        if (kept && kernel.tables == nullptr) continue;
        const std::string difference =
            trial.difference([&](const LoopNest&, const std::byte* read, std::byte* write) {
              TablesRoom room;
              PreparedCopy copy(units, kernel, target, kept ? &room : nullptr);
              copy.force_streaming(stream);
              copy.run(read, write, nullptr);
            });
        ASSERT_EQ(difference, "") << kernel.name << " on " << target.name
                                  << (stream ? " streaming" : "") << (kept ? " by kept tables" : "")
                                  << ", " << text(nest) << ", shifted by " << read_shift << " and "
                                  << write_shift;
      }
    }
  }
}

class EveryTarget : public testing::TestWithParam<Target> {
 protected:
  std::map<std::string, int> ran_;
  void check(const LoopNest& nest, int read_shift = 0, int write_shift = 0) {
    optimized::check(nest, GetParam(), read_shift, write_shift, ran_);
  }
  void TearDown() override {
    for (const auto& [name, times] : ran_) RecordProperty(name, times);
  }
};

// Sizes around the tails of vectors of 16, 32 and 64 bytes of elements of `bytes` bytes.
std::vector<std::int64_t> sizes_around(int bytes, std::int64_t most = 130) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = 0; size <= 2 * 64 / bytes + 2 && size <= most; ++size) {
    sizes.push_back(size);
  }
  return sizes;
}

TEST_P(EveryTarget, CopiesRunsOfEveryLength) {
  for (std::int64_t n = 0; n <= 600; ++n)
    check({8, 0, 0, {{n, 1, 1}}}, 0, static_cast<int>(n % 67));
  for (std::int64_t n : {4095, 4096, 4097, 16384, 20001}) {
    for (int shift : {0, 1, 63}) check({8, 0, 0, {{n, 1, 1}}}, 0, shift);
  }
  EXPECT_GT(ran_["contiguous/0"], 0);
}

TEST_P(EveryTarget, FillsWithOneElement) {
  for (int bits : {8, 16, 32, 64}) {
    for (std::int64_t n : sizes_around(bits / 8)) {
      check({bits, 0, 0, {{n, 0, 1}}}, 0, static_cast<int>(n % 5) * bits / 8);
      check({bits, 0, 0, {{3, 2, n + 3}, {n, 0, 1}}}, 0, 3);
      check({bits, 0, 0, {{4, 1, n + 200}, {n + 150, 0, 1}}}, 0, bits / 8);
      check({bits, 0, 0, {{300, 1, n}, {n, 0, 1}}}, 0, bits / 8);
    }
    EXPECT_GT(ran_["fill/" + std::to_string(bits / 8)], 0);
  }
}

TEST_P(EveryTarget, CopiesRowsWithGapsOnEitherSide) {
  for (std::int64_t run = 1; run <= 300; run += run < 140 ? 1 : 37) {
    check({8, 0, 0, {{5, run + 3, run}, {run, 1, 1}}}, 0, static_cast<int>(run % 7));
    check({8, 0, 0, {{3, 7 * run, 5 * run + 1}, {4, run, run + 9}, {run, 1, 1}}}, 0, 1);
    check({32, 0, 0, {{4, run, 7 * run}, {7, 4 * run, run}, {run, 1, 1}}});
    check({32, 0, 0, {{32, run, 7 * run}, {7, 32 * run, run}, {run, 1, 1}}});
    check({32, 0, 0, {{7, run, 32 * run}, {32, 7 * run, run}, {run, 1, 1}}});
  }
  // Small rectangles of rows along a third loop, and one around them.
  for (const std::int64_t run : {8, 15, 16, 40, 64, 100}) {
    const std::int64_t rows = 3 * (run + 2);
    check({8,
           0,
           0,
           {{17, 5 * run, 3 * rows}, {3, 100 * run, rows}, {3, run + 1, run + 2}, {run, 1, 1}}},
          0, 1);
    check(
        {8,
         0,
         0,
         {{2, 4000 * run, 4000 * run}, {20, run, 9 * rows}, {2, 50 * run, 2 * rows}, {run, 1, 1}}});
  }
  check({8, 0, 0, {{3, 5000, 5003}, {4999, 1, 1}}}, 0, 5);
  check({32, 0, 0, {{7, 3000, 21000}, {7, 21000, 3000}, {3000, 1, 1}}});
  check({32, 0, 0, {{9, 0, 130}, {130, 1, 1}}});
  EXPECT_GT(ran_["rows/0"], 0);
}

// Rows nearly a page apart, or half of one, are written or read fewer at a time.
TEST_P(EveryTarget, CopiesRowsNearlyAPageApart) {
  for (const std::int64_t bytes : {1, 2, 4, 8}) {
    const int bits = static_cast<int>(8 * bytes);
    for (const std::int64_t page : {2048, 4096}) {
      for (const std::int64_t off : {-1, 1, 2}) {
        const std::int64_t apart = page / bytes + off;
        check({bits, 0, 0, {{49, 1, apart}, {150, 49, 1}}}, 0, static_cast<int>(bytes));
        check({bits, 0, 0, {{300, 1, apart}, {33, 300, 1}}});
        check({bits, 0, 0, {{20, 16, 640}, {40, apart, 16}, {16, 1, 1}}});
      }
    }
  }
}

// Where the output goes around the caches, a block of it is staged that several loops write
// together, in any order, and that is read at many places.
TEST_P(EveryTarget, StagesWhatSeveralLoopsWrite) {
  check(permuted_nest(32, {3, 8, 2, 30}, {0, 3, 2, 1}));
  check(permuted_nest(32, {2, 36, 6, 95}, {0, 3, 2, 1}), 4, 12);
  check(permuted_nest(32, {40, 8, 16, 3}, {1, 0, 3, 2}), 0, 4);
  check(permuted_nest(64, {7, 4, 78, 4}, {1, 0, 3, 2}), 8, 0);
  check(permuted_nest(32, {23, 2, 40, 4}, {1, 2, 0, 3}), 0, 4);
  check(permuted_nest(16, {50, 13, 24}, {1, 0, 2}, 3), 2, 2);
  // Too large for the L2 cache: prefetched without a stage.
  check(permuted_nest(32, {2400, 2, 60, 4}, {1, 0, 3, 2}), 0, 4);
  LoopNest backwards = permuted_nest(32, {40, 8, 16, 3}, {1, 0, 3, 2});
  for (const std::size_t i : {0, 1}) {
    Loop& loop = backwards.loops[i];
    backwards.read_offset += (loop.count - 1) * loop.source_stride;
    loop.source_stride = -loop.source_stride;
  }
  check(backwards);
}

TEST_P(EveryTarget, TurnsTilesOfEverySize) {
  for (int bits : {8, 16, 32, 64}) {
    const int bytes = bits / 8;
    const std::int64_t n = 64 / bytes;
    for (std::int64_t w : sizes_around(bytes)) {
      for (std::int64_t r :
           {std::int64_t{1}, std::int64_t{3}, std::int64_t{5}, n / 2, n - 1, n, n + 1, 2 * n + 3}) {
        check(permuted_nest(bits, {r, w}, {1, 0}), 0, 0);
        if (w % 3 == 0) check(permuted_nest(bits, {r, w}, {1, 0}, 3, 2), 0, bytes);
        if (w % 7 == 0) check(permuted_nest(bits, {w, r}, {1, 0}, 0, 1), 0, 1);
      }
    }
    // Rows of the output that begin lines, and rows that are longer than the stage.
    for (std::int64_t w : {n, 4 * n, 5 * n + 2, 9 * n, 9 * n + 1}) {
      for (std::int64_t r : {n, 2 * n, 5 * n, 2 * n + 5}) {
        const std::int64_t pitch = (w + n - 1) / n * n;
        check({bits, 0, 0, {{r, 1, pitch}, {w, r + 1, 1}}});
        check({bits, 0, 0, {{r, 1, pitch + 1}, {w, r, 1}}}, 0, 5 * bytes);
      }
    }
    EXPECT_GT(ran_["transpose/" + std::to_string(bytes)], 0);
  }
}

// Copies beyond the L1 cache, where what is written is prefetched: long and short sides, rows of
// whole lines and others, and rows that share sets of that cache.
TEST_P(EveryTarget, TurnsWhatLeavesTheFirstCache) {
  std::mt19937 random(23);
  const auto from_to = [&random](std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random()) % (most - least + 1);
  };
  for (const int bits : {8, 16, 32, 64}) {
    const std::int64_t bytes = bits / 8;
    for (int i = 0; i < 24; ++i) {
      const std::int64_t short_side = i % 3 == 0 ? 64 / bytes * from_to(1, 4) : from_to(2, 90);
      const std::int64_t far = from_to(30 << 10, 120 << 10) / bytes / short_side;
      const std::int64_t long_side = i % 4 == 0 ? (far + 63) / 64 * 64 : far;
      const bool tall = i % 2 == 0;
      const std::int64_t across = tall ? short_side : long_side;
      const std::int64_t along = tall ? long_side : short_side;
      const std::int64_t outer = i % 5 == 0 ? 3 : 1, all = across * along;
      check({bits, 0, 0, {{outer, all, all}, {across, 1, along}, {along, across, 1}}}, 0,
            static_cast<int>(bytes * (i % 6 == 0 ? 0 : from_to(0, 9))));
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(ran_["transpose/" + std::to_string(bytes)], 0);
    EXPECT_GT(ran_["deinterleave/" + std::to_string(bytes)], 0);
  }
}

TEST_P(EveryTarget, TurnsTilesAcrossTwoReaderLoops) {
  for (int bits : {8, 16, 32, 64}) {
    check(permuted_nest(bits, {12, 8, 5, 16, 32}, {4, 3, 2, 1, 0}));
    check(permuted_nest(bits, {3, 5, 7, 33}, {3, 2, 1, 0}), 0, bits / 8);
    check(permuted_nest(bits, {5, 20, 2, 70}, {3, 2, 1, 0}, 1, 1), 0, 3);
  }
  EXPECT_GT(ran_["transpose/4"], 0);
}

TEST_P(EveryTarget, PermutesSeveralLoopsOfEitherSide) {
  for (int bits : {8, 16, 32, 64}) {
    const int bytes = bits / 8;
    for (std::int64_t near : {2, 3, 5, 17}) {
      for (std::int64_t far : {4, 7, 40}) {
        // The writer goes along two loops, the reader along one; then the other way round, then
        // both.
        check(permuted_nest(bits, {far, 6, near}, {1, 2, 0}), 0, bytes);
        check(permuted_nest(bits, {near, 6, 11, far}, {3, 0, 2, 1}), 0, 3);
        check(permuted_nest(bits, {3, near, far, 2, 9}, {0, 3, 1, 4, 2}, 1, 0), 0, 1);
        check(permuted_nest(bits, {4, near, 5, far, 3}, {2, 4, 0, 3, 1}), 0, 5 * bytes);
      }
    }
    // More positions than a list holds, on either side.
    check(permuted_nest(bits, {70, 3, 130}, {2, 0, 1}));
    check(permuted_nest(bits, {3, 130, 4, 70}, {1, 3, 0, 2}), 0, bytes);
    // Pieces of a list that end one pass of a loop and begin the next.
    check(permuted_nest(bits, {70, 6, 600}, {2, 1, 0}), 0, bytes);
    check(permuted_nest(bits, {2, 7, 5, 601, 3}, {4, 1, 3, 2, 0}), 0, bytes);
    check(permuted_nest(bits, {6, 3, 601, 5, 2}, {3, 1, 4, 2, 0}), 0, 3);
    EXPECT_GT(ran_["permute/" + std::to_string(bytes)], 0);
  }
}

// Rows a multiple of 4 KiB apart evict each other from the L1 cache, so other kernels take them, in
// other blocks.
TEST_P(EveryTarget, CopiesRowsThatShareSetsOfTheCache) {
  for (int bits : {8, 16, 32, 64}) {
    const int bytes = bits / 8;
    const std::int64_t apart = 4096 / bytes;
    for (std::int64_t rows : {9, 17, 64}) {
      for (std::int64_t run : {1, 3, 8, 12}) {
        for (std::int64_t steps : {5, 33}) {
          check({bits, 0, 0, {{steps, run, rows * run}, {rows, apart, run}, {run, 1, 1}}}, 0,
                bytes);
          check({bits, 0, 0, {{run, 1, steps * rows}, {steps, run, rows}, {rows, apart, 1}}});
        }
      }
      for (std::int64_t columns : {64, 200}) {
        check({bits, 0, 0, {{rows, 1, apart}, {columns, rows, 1}}});
        check({bits, 0, 0, {{rows, 1, apart / 2}, {columns, rows, 1}}}, 0, 3);
      }
    }
  }
}

TEST_P(EveryTarget, DealsRowsAndRunsOfFewParts) {
  for (int bits : {8, 16, 32, 64}) {
    const int bytes = bits / 8;
    for (std::int64_t parts : {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}) {
      for (std::int64_t n : sizes_around(bytes)) {
        check(permuted_nest(bits, {n, parts}, {1, 0}), 0, static_cast<int>(n % 3) * bytes);
        check(permuted_nest(bits, {parts, n}, {1, 0}), 0, static_cast<int>(n % 3) * bytes);
        if (n % 5 == 0) check(permuted_nest(bits, {3, n, parts}, {0, 2, 1}, 1, 0), 0, 1);
        if (n % 5 == 0) check(permuted_nest(bits, {3, parts, n}, {0, 2, 1}, 0, 1), 0, 1);
        // The reader goes on where a loop far out steps.
        if (n % 5 == 0) check(permuted_nest(bits, {2, 4, 40, n, parts}, {0, 2, 4, 1, 3}), 0, 1);
      }
      for (std::int64_t n : {512, 777, 1024, 2050}) {
        for (int shift : {0, bytes, 3 * bytes, 1}) {
          check(permuted_nest(bits, {n, parts}, {1, 0}), 0, shift);
          check(permuted_nest(bits, {parts, n}, {1, 0}), 0, shift);
        }
      }
    }
    // Rows along two and three loops, in an order that one loop does not walk.
    for (const auto& [one, other] :
         {std::pair<std::int64_t, std::int64_t>{2, 2}, {2, 3}, {4, 2}, {3, 3}, {3, 4}, {5, 3}}) {
      for (std::int64_t n : {64 / bytes - 1, 64 / bytes, 64 / bytes + 5, 300, 515, 2050}) {
        const int shift = static_cast<int>(n % 3) * bytes;
        check(permuted_nest(bits, {one, other, n}, {2, 1, 0}), 0, shift);
        check(permuted_nest(bits, {other, 3, one, n}, {1, 3, 0, 2}), 0, 1);
        check(permuted_nest(bits, {2, one, 2, n}, {3, 2, 1, 0}), 0, shift);
      }
    }
    EXPECT_GT(ran_["interleave/" + std::to_string(bytes)], 0);
    EXPECT_GT(ran_["deinterleave/" + std::to_string(bytes)], 0);
  }
}

// Runs that several calls write together are put together in a stage before they leave around the
// caches.
TEST_P(EveryTarget, PutsShortRunsTogetherBeforeTheyLeave) {
  for (const std::int64_t run : {1, 12, 24, 74, 96, 224}) {
    for (const int shift : {0, 1, 40}) {
      // Windows and heads: short and long blocks, of which the last ones are fewer than fit.
      check(permuted_nest(8, {11, 7, 8, run}, {0, 2, 1, 3}), 0, shift);
      check(permuted_nest(8, {301, 4, 3, run}, {0, 2, 1, 3}), 0, shift);
      check(permuted_nest(8, {53, 31, run}, {1, 0, 2}), 0, shift);
    }
    // Blocks that do not follow each other, that are read backwards, and that are nearly as long as
    // a stage.
    check({8, 0, 0, {{9, 5000, 3000}, {20, -60 * run, run}, {run, 1, 1}}}, 0, 5);
    check({8, 0, 0, {{9, -7 * run, 7 * run}, {7, run, run}, {run, 2, 1}}}, 0, 1);
    const std::int64_t rows = 32768 / run;
    check({8, 0, 0, {{3, 2 * run, rows * run}, {rows, 7 * run, run}, {run, 1, 1}}}, 0, 9);
    check({8, 0, 0, {{2, 2 * run, (rows + 1) * run}, {rows + 1, 7 * run, run}, {run, 1, 1}}});
  }
  check(permuted_nest(32, {5, 20, 10, 3, 4, 9}, {1, 0, 2, 5, 3, 4}), 0, 4);
  check(permuted_nest(16, {40, 21, 49}, {0, 2, 1}), 0, 2);
}

TEST_P(EveryTarget, ShufflesShortBlocks) {
  for (int bits : {8, 16, 32, 64}) {
    const int bytes = bits / 8;
    const auto blocks = [bytes](std::int64_t elements) { return 8192 / (elements * bytes) + 3; };
    for (std::int64_t a = 2; a * 2 * bytes <= 512; ++a) {
      for (std::int64_t b : {2, 3, 5, 8, 16, 25, 33}) {
        if (a * b * bytes > 512) continue;
        check(permuted_nest(bits, {blocks(a * b), a, b}, {0, 2, 1}), 0,
              static_cast<int>((a + b) % 5) * bytes);
      }
      check({bits, 0, 0, {{blocks(a), a, a}, {a, -1, 1}}}, 0, bytes);
    }
    check(permuted_nest(bits, {2, 300, 2, 3, 4}, {0, 1, 4, 3, 2}, 0, 0), 0, 1);
    check(permuted_nest(bits, {2, 700, 3, 2, 2}, {1, 0, 3, 4, 2}, 0, 0), 0, 3);
    // Runs of several elements, and blocks of which some loops are read backwards.
    check({8, 0, 0, {{900, 60, 60}, {5, 12, 12}, {4, 3, 3}, {3, -1, 1}}});
    check({8, 0, 0, {{900, 60, 60}, {4, 15, 3}, {5, 3, 12}, {3, 1, 1}}}, 0, 2);
    check({bits, 0, 0, {{900, 12, 12}, {3, -4, 1}, {4, 1, 3}}});
  }
  EXPECT_GT(ran_["shuffle/0"], 0);
}

TEST_P(EveryTarget, ReadsInShortSteps) {
  for (int bits : {8, 16, 32, 64}) {
    for (std::int64_t n : sizes_around(bits / 8, 300)) {
      for (const std::int64_t step : {-1, 2, 3, 4}) {
        check({bits, 0, 0, {{n, step, 1}}}, 0, static_cast<int>(n % 9) * bits / 8);
        check({bits, 0, 0, {{3, std::abs(step) * n + 1, n + 1}, {n, step, 1}}}, 0, 1);
      }
    }
    for (const std::int64_t step : {-1, 2, 3, 4}) {
      check({bits, 0, 0, {{4, 2400, 601}, {600, step, 1}}}, 0, bits / 8);
    }
    EXPECT_GT(ran_["steps/" + std::to_string(bits / 8)], 0);
  }
}

TEST_P(EveryTarget, PacksShortRuns) {
  for (std::int64_t run : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 16, 20}) {
    for (std::int64_t step = -40; step <= 40; step += std::abs(step) < 10 ? 1 : 5) {
      if (step == 0) continue;
      for (const std::int64_t n : {4, 5, 11, 12, 16, 17, 31, 64, 101}) {
        const std::int64_t far = std::abs(step) * n + run;
        check({8, 0, 0, {{n, step, run}, {run, 1, 1}}}, 0, static_cast<int>(n % 9));
        check({8, 0, 0, {{3, far, run * n + 1}, {n, step, run}, {run, 1, 1}}}, 0, 1);
      }
    }
  }
  EXPECT_GT(ran_["packed/0"], 0);
}

// Short axes in every order, halves of bytes that begin in either half, gaps on the reader's side,
// axes that are read backwards or again and again.
TEST_P(EveryTarget, GathersShortRunsFromAnywhere) {
  std::mt19937 random(11);
  const auto draw = [&random](std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random);
  };
  for (int bits : {4, 8, 16, 32, 64}) {
    for (int i = 0; i < 300; ++i) {
      const auto axes = static_cast<std::size_t>(draw(2, 5));
      std::vector<std::int64_t> sizes(axes);
      std::vector<std::size_t> order(axes);
      for (std::size_t axis = 0; axis < axes; ++axis) {
        sizes[axis] = draw(2, axis == 0 ? 40 : 9);
        order[axis] = axis;
      }
      std::ranges::shuffle(order, random);
      LoopNest nest = permuted_nest(bits, sizes, order, draw(0, 1) * draw(0, 5));
      nest.read_offset = draw(0, 1);
      if (draw(0, 3) == 0) nest.write_offset = 1;
      Loop& loop =
          nest.loops[static_cast<std::size_t>(draw(0, static_cast<std::int64_t>(axes) - 1))];
      const std::int64_t kind = draw(0, 5);
      if (kind < 2) loop.source_stride *= kind == 0 ? -1 : 0;
      check(nest, 0, static_cast<int>(draw(0, 9)));
    }
  }
  EXPECT_GT(ran_["gather/0"], 0);
}

// Blocks that are longer than a table has room for, that read one word for several elements or one
// for each, and words at the very ends of what is read.
TEST_P(EveryTarget, GathersWordsFromFarAway) {
  for (int bits : {8, 16, 32}) {
    for (std::int64_t a : {2, 3, 5, 16}) {
      for (std::int64_t b : {2, 3, 7, 40}) {
        for (std::int64_t c : {2, 5, 9, 33}) {
          check(permuted_nest(bits, {c, b, 3, a}, {3, 1, 2, 0}), 0, static_cast<int>(a + c) % 9);
          check(permuted_nest(bits, {a, 2, b, 2, c}, {4, 1, 2, 3, 0}, 0, 1), 0, bits / 8);
          LoopNest back = permuted_nest(bits, {c, 300, a, 2}, {2, 1, 3, 0});
          back.loops[2].source_stride *= -1;
          check(back, 0, 1);
        }
      }
    }
  }
  check({8, 0, 0, {{3, 5, 700}, {700, 1000, 1}}});
  check({8, 0, 0, {{40, 5000, 9}, {3, 7, 3}, {3, 1, 1}}}, 0, 3);
  EXPECT_GT(ran_["gather words/0"], 0);
}

TEST_P(EveryTarget, MovesHalfBytes) {
  for (std::int64_t n = 0; n <= 70; ++n) {
    for (std::int64_t at : {0, 1}) {
      for (std::int64_t to : {0, 1}) {
        check({4, at, to, {{n, 1, 1}}});
        check({4, at, to, {{3, n + 2, n + 1}, {n, 1, 1}}});
        // Rows one behind the other, of which two of an odd number of halves are whole bytes.
        for (const std::int64_t rows : {4, 5}) {
          check({4, at, to, {{rows, n + 1, n}, {n, 1, 1}}});
          check({4, at, to, {{rows, 2 * n + 61, n + 60}, {n + 60, 1, 1}}});
        }
        check({4, at, to, {{n, 2, 1}}});
        check({4, at, to, {{5, 1, n}, {n, 5, 1}}});
      }
    }
    check({4, 0, 0, {{3, 2 * n + 2, 2 * n + 4}, {2 * n, 1, 1}}});
  }
  EXPECT_GT(ran_["half_bytes/0"], 0);
}

TEST_P(EveryTarget, TurnsHalfBytes) {
  for (std::int64_t w : {15, 16, 17, 64, 127, 128, 129, 200, 257}) {
    for (std::int64_t r : {15, 63, 64, 65, 127, 128, 130, 259}) {
      for (std::int64_t gap : {0, 1, 2}) {
        // Rows that begin in either half, on either side.
        check({4, 0, 0, {{r, 1, w + gap}, {w, r + gap, 1}}});
        check({4, 1, 0, {{r, 1, w + gap}, {w, r + 1, 1}}});
        check({4, 0, 1, {{r, 1, w + gap}, {w, r, 1}}}, 0, 7);
      }
    }
  }
  // Lines of the output, which leave whole.
  check({4, 0, 0, {{256, 1, 384}, {384, 256, 1}}});
  for (std::int64_t n : {31, 32, 33, 511, 512, 513, 1300}) {
    for (std::int64_t step : {-1, 2, 3, 4, 5}) {
      for (std::int64_t at : {0, 1}) check({4, at, 1 - at, {{n, step, 1}}});
    }
  }
}

TEST_P(EveryTarget, CopiesHalfBytesAsBytes) {
  for (std::int64_t planes : {2, 3, 5, 7, 15, 17}) {
    for (std::int64_t n : {171, 512, 600, 6001}) {
      for (std::int64_t at : {0, 1}) {
        // Planes and back, rows with gaps on either side, and blocks that do not divide a loop.
        check({4, at, 0, {{n, 1, planes}, {planes, n, 1}}});
        check({4, 0, at, {{planes, 1, n}, {n, planes, 1}}});
        check({4, at, 0, {{planes, 1, n + 1}, {n, planes + 1, 1}}});
        check({4, 0, at, {{n, planes + 20, planes + 16}, {planes + 16, 1, 1}}});
        check({4, at, 1 - at, {{n, planes, 1}}});
        check({4, at, 1 - at, {{3, n, n}, {n, -1, 1}}});
      }
    }
  }
  for (std::int64_t planes : {2, 4, 6, 8, 12, 34, 64}) {
    for (std::int64_t n : {64, 171, 600, 6001}) {
      for (std::int64_t at : {0, 1}) {
        // In pairs: rows that are joined begin in either half, and so do those that are parted.
        check({4, at, 0, {{n, 1, planes}, {planes, n, 1}}});
        check({4, at, 0, {{n, 1, planes + 2}, {planes, n + 3, 1}}});
        check({4, 0, at, {{planes, 1, n}, {n, planes, 1}}});
        check({4, 0, at, {{planes, 1, n + 3}, {n, planes + 2, 1}}});
        check({4, 0, at, {{5, planes * n, planes * n + 1}, {planes, 1, n}, {n, planes, 1}}});
        check({4, at, 0, {{3, planes * n + 1, planes * n}, {n, 1, planes}, {planes, -n, 1}}});
        check({4, at, 0, {{n, -1, planes}, {planes, n, 1}}});
      }
    }
  }
  // The same elements written twice, and one read for a whole row.
  check({4, 0, 0, {{2, 0, 0}, {600, 1, 8}, {8, 600, 1}}});
  check({4, 1, 0, {{600, 1, 8}, {8, 0, 1}}});
  check({4, 1, 0, {{68, 96, 12}, {6, 1, 2}, {2, 6, 1}, {6, 6528, 1632}}});
  check(permuted_nest(4, {9, 6, 10, 11, 14}, {4, 2, 0, 3, 1}));
  check(permuted_nest(4, {5, 130, 3, 7, 9}, {3, 0, 4, 1, 2}, 1, 1), 0, 3);
}

TEST_P(EveryTarget, CopiesAnythingElse) {
  for (int bits : {4, 8, 16, 32, 64}) {
    for (std::int64_t n : {0, 1, 2, 3, 5, 8, 17, 33}) {
      check({bits, 0, 0, {{n, -1, 1}}});
      check({bits, 0, 0, {{n, 1, -1}}});
      check({bits, 0, 0, {{n, 3, 5}}});
      check({bits, 0, 0, {{2, 0, 100}, {n, -2, 3}}}, 0, 1);
      check({bits, 0, 0, {{3, 1, 200}, {4, -7, 50}, {2, 0, 25}, {n % 9, 2, 2}}});
    }
  }
  check({32, 0, 0, {}});
  check({4, 1, 0, {}});
  check({8, 0, 0, {{5, 3, 6}, {3, 1, 2}}}, 0, 1);
  EXPECT_GT(ran_["strided/0"], 0);
}

TEST_P(EveryTarget, CopiesRandomNests) {
  std::mt19937 random(11);
  const auto up_to = [&random](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
  for (int i = 0; i < 3000; ++i) {
    constexpr int kBits[] = {4, 8, 16, 32, 64};
    const std::size_t rank = 1 + static_cast<std::size_t>(up_to(5));
    std::vector<std::int64_t> sizes(rank);
    std::vector<std::size_t> order(rank);
    for (std::size_t k = 0; k < rank; ++k) {
      sizes[k] = 1 + up_to(rank > 3 ? 9 : 40);
      order[k] = k;
    }
    std::shuffle(order.begin(), order.end(), random);
    LoopNest nest = permuted_nest(kBits[up_to(5)], sizes, order, up_to(3), up_to(3));
    for (Loop& loop : nest.loops) {
      const std::int64_t kind = up_to(12);
      if (kind == 0) loop.source_stride = -loop.source_stride;
      if (kind == 1) loop.source_stride = 0;
    }
    check(nest, 0, static_cast<int>(up_to(70)));
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryTarget, testing::ValuesIn(runnable_targets()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(Targets, SaysWhichCouldNotRun) {
  for (const Target& target : compiled_targets()) {
    const bool runs = std::ranges::find(runnable_targets(), target) != runnable_targets().end();
    std::cout << target.name << (runs ? ": ran here\n" : ": this processor cannot run it\n");
  }
  EXPECT_EQ(runnable_targets().back().name, "scalar");
}

TEST(Targets, UnknownNamesAreErrorsThatNameTheKnown) {
  const Result<Target> target = target_named("avx1024");
  ASSERT_FALSE(target);
  EXPECT_NE(target.error().message.find("scalar"), std::string::npos);
  for (const Target& known : runnable_targets()) {
    ASSERT_TRUE(target_named(known.name));
    EXPECT_EQ(*target_named(known.name), known);
  }
}

}  // namespace
}  // namespace reshape::optimized
