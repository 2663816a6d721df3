// Which part of a copy is gathered at a time, and out of how many windows of the input.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "optimized/kernels/gather.h"

namespace reshape::optimized {
namespace {

// Extends the block's range by what a loop's further steps read.
void add_range(GatherBlock& block, std::int64_t read, std::int64_t steps) {
  (read < 0 ? block.first : block.last) += read * (steps - 1);
}

// Whether the loops around a block keep it at the beginning of a byte.
bool begins_with_bytes(std::span<const Step> around, bool halves) {
  return !halves ||
         std::ranges::all_of(around, [](const Step& loop) { return loop.write % 2 == 0; });
}

}  // namespace

GatherBlock gather_block(std::int64_t run, std::span<const Step> loops, bool halves,
                         std::int64_t most, std::int64_t vector) {
  constexpr double kFilledEnough = 0.9;
  const std::int64_t in_byte = halves ? 2 : 1;
  GatherBlock best, block;
  block.units = run;
  block.last = run - 1;
  double best_filled = 0;
  for (const Step& loop : loops) {
    if (loop.write != block.units) break;
    // As few steps as fill the vectors well, since tables of few vectors are built faster. The
    // number of half bytes must be even, or blocks would begin in different halves of a byte.
    const std::int64_t unit = halves && block.units % 2 != 0 ? 2 : 1;
    const std::int64_t least = (kLeastGathered * in_byte + block.units - 1) / block.units;
    const std::int64_t longest = std::min(loop.count, most * in_byte / block.units);
    for (std::int64_t steps = (least + unit - 1) / unit * unit;
         steps <= longest && best_filled < kFilledEnough; steps += unit) {
      GatherBlock tried = block;
      tried.steps = steps;
      tried.units *= steps;
      add_range(tried, loop.read, steps);
      const std::int64_t range = tried.last_byte(halves, 0) - tried.first_byte(halves, 0);
      if (range < kLeastGathered || !begins_with_bytes(loops.subspan(block.whole + 1), halves))
        continue;
      const std::int64_t bytes = tried.units / in_byte, vectors = (bytes + vector - 1) / vector;
      const std::int64_t blocks = (loop.count + steps - 1) / steps;
      const double filled = static_cast<double>(loop.count * block.units / in_byte) /
                            static_cast<double>(blocks * vectors * vector);
      if (filled > best_filled) {
        best_filled = filled;
        best = tried;
      }
    }
    add_range(block, loop.read, loop.count);
    block.units *= loop.count;
    ++block.whole;
    if (block.units > most * in_byte) break;
  }
  return best;
}

std::int64_t gathered_from(const GatherBlock& block, std::int64_t run, std::span<const Step> loops,
                           std::int64_t unit) {
  std::int64_t at = unit % run;
  unit /= run;
  for (const Step& loop : loops.first(block.whole)) {
    at += unit % loop.count * loop.read;
    unit /= loop.count;
  }
  return unit == 0 ? at : at + unit * loops[block.whole].read;
}

int windows_of(std::span<const std::int64_t> places, std::int64_t window, std::int64_t first_byte,
               std::int64_t last_byte, int most, std::int64_t* begin) {
  int count = 0;
  for (std::int64_t covered = INT64_MIN;;) {
    std::int64_t next = INT64_MAX;
    for (const std::int64_t place : places) {
      if (place >= covered) next = std::min(next, place);
    }
    if (next == INT64_MAX) return count;
    if (count == most) return most + 1;
    begin[count] = std::max(first_byte, std::min(next, last_byte + 1 - window));
    covered = begin[count++] + window;
  }
}

WordGroup words_from(const GatherBlock& block, std::int64_t run, std::span<const Step> loops,
                     std::int64_t done) {
  constexpr std::int64_t kWord = 4;
  WordGroup group;
  const std::int64_t left = std::min(kWordBytes, block.units - done);
  std::int64_t places[kWordBytes], begin[kWords];
  for (std::int64_t i = 0; i < left; ++i) places[i] = gathered_from(block, run, loops, done + i);
  int words = 0;
  for (group.bytes = left;; group.bytes = (group.bytes - 1) / kWords * kWords) {
    words = windows_of({places, static_cast<std::size_t>(group.bytes)}, kWord, block.first,
                       block.last, kWords, begin);
    if (words <= kWords) break;
  }
  for (int w = 0; w < kWords; ++w) {
    group.at[w] = static_cast<std::int32_t>(begin[std::min(w, words - 1)]);
  }
  for (std::int64_t i = 0; i < group.bytes; ++i) {
    int w = 0;
    while (places[i] >= begin[w] + kWord) ++w;
    group.index[i] = static_cast<std::uint8_t>(w * kWord + places[i] - begin[w]);
  }
  return group;
}

double windows_each(const GatherBlock& block, std::int64_t run, std::span<const Step> loops,
                    bool halves, std::int64_t window, double most) {
  constexpr int kVectors = 2;
  constexpr std::int64_t kMostUnits = 128;
  std::int64_t places[kMostUnits], begin[kMostUnits];
  const std::int64_t units = window * (halves ? 2 : 1);
  const int most_in_all = static_cast<int>(most * kVectors);
  int windows = 0, vectors = 0;
  for (; vectors < kVectors && (vectors + 1) * units <= block.units; ++vectors) {
    for (std::int64_t i = 0; i < units; ++i) {
      const std::int64_t from = gathered_from(block, run, loops, vectors * units + i);
      places[i] = halves ? from >> 1 : from;
    }
    windows +=
        windows_of({places, static_cast<std::size_t>(units)}, window, block.first_byte(halves, 0),
                   block.last_byte(halves, 0), most_in_all - windows, begin);
    if (windows > most_in_all) return HUGE_VAL;
  }
  return vectors == 0 ? HUGE_VAL : static_cast<double>(windows) / vectors;
}

}  // namespace reshape::optimized
