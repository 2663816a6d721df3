#include <algorithm>
#include <cstdlib>

#include "optimized/kernels/arrangements.h"
#include "optimized/kernels/gather.h"
#include "optimized/kernels/limits.h"
#include "optimized/kernels/machine.h"

// How runs are walked: whole ones, repeated ones, those read in steps, and rows of them.

namespace reshape::optimized {
namespace {

constexpr std::int64_t kLine = 64;

bool is_width(std::int64_t run) { return run == 1 || run == 2 || run == 4 || run == 8; }

// The number of consecutive bytes that a kernel's loops cover on one side.
std::int64_t together(std::int64_t run, const Steps& inner, std::int64_t Step::* side) {
  std::int64_t bytes = run;
  for (std::size_t i = 0; i < inner.size();) {
    const bool goes_on = inner[i].*side == bytes;
    if (goes_on) bytes *= inner[i].count;
    i = goes_on ? 0 : i + 1;
  }
  return bytes;
}

// Moves the loop over neighbouring runs of the input further in, so that they are read soon after
// each other: otherwise the lines that they share would leave the caches in between, and the
// prefetcher, which follows lines that are neighbours, would find none.
UnitNest neighbours_soon(const UnitNest& given) {
  constexpr std::int64_t kKept = 16 << 10;
  UnitNest nest = given;
  std::size_t near = 0;
  for (std::size_t i = 0; i < nest.loops.size(); ++i) {
    if (std::abs(nest.loops[i].read) < std::abs(nest.loops[near].read)) near = i;
  }
  if (nest.loops[near].read == 0 || std::abs(nest.loops[near].read) > 4 * kLine) return nest;
  std::int64_t inside = nest.run;
  for (std::size_t i = near + 1; i < nest.loops.size(); ++i) inside *= nest.loops[i].count;
  for (; near + 2 < nest.loops.size() && inside > kKept; ++near) {
    inside /= nest.loops[near + 1].count;
    std::swap(nest.loops[near], nest.loops[near + 1]);
  }
  return nest;
}

// Loop tiling: cuts a loop into blocks that stay in the L1 cache, and walks the loops with smaller
// read steps inside them. Otherwise each of their steps would read every line of the input anew. A
// block divides the loop's count.
UnitNest in_blocks(const UnitNest& given) {
  constexpr std::int64_t kKept = 16 << 10, kWorthCutting = 128 << 10;
  UnitNest nest = given;
  if (nest.loops.size() < 2) return nest;
  const bool evicted = evict_each_other(nest.loops.back().count, nest.loops.back().read);
  if (nest.units() < kWorthCutting && !evicted) return nest;
  std::int64_t inside = nest.run;
  std::size_t at = nest.loops.size() - 1;
  while (!evicted && at > 0 && inside * nest.loops[at].count <= kKept) {
    inside *= nest.loops[at--].count;
  }
  const Step cut = nest.loops[at];
  Steps near, far;
  std::int64_t beside = inside;
  for (std::size_t i = 0; i < at; ++i) {
    const bool is_near =
        std::abs(nest.loops[i].read) < std::abs(cut.read) && beside * nest.loops[i].count <= kKept;
    if (is_near) beside *= nest.loops[i].count;
    (is_near ? near : far).push_back(nest.loops[i]);
  }
  if (near.empty()) return nest;
  const std::int64_t most = evicted ? std::min(kWays, cut.count) : cut.count;
  std::int64_t block = std::clamp<std::int64_t>(kKept / beside, 1, most);
  while (cut.count % block != 0) --block;
  Steps loops = far;
  if (block < cut.count) loops.push_back({cut.count / block, cut.read * block, cut.write * block});
  for (const Step& loop : near) loops.push_back(loop);
  if (block > 1) loops.push_back({block, cut.read, cut.write});
  for (std::size_t i = at + 1; i < nest.loops.size(); ++i) loops.push_back(nest.loops[i]);
  nest.loops = loops;
  return nest;
}

// The loop that steps the reader to the next row, where the last one takes it far away and often,
// since the hardware prefetcher follows few runs and steps within a page; its rows are short and
// either make a long piece of the output or go on with that loop.
std::optional<std::size_t> loop_across(const UnitNest& nest) {
  // Longer rows took 1.2 to 1.7 of the time of rows one by one on an Emerald Rapids.
  constexpr std::int64_t kLongest = 2 * kLine;
  constexpr std::int64_t kNear = 4 * kLine, kPiece = 8 * kLine, kPage = 64 * kLine;
  constexpr std::int64_t kFewRuns = 16;
  const Step& row = nest.loops.back();
  if (nest.run > kLongest || row.write != nest.run) return std::nullopt;
  if (row.count < kFewRuns || row.read < kPage) return std::nullopt;
  std::size_t near = nest.loops.size() - 1;
  for (std::size_t i = 0; i + 1 < nest.loops.size(); ++i) {
    const std::int64_t read = nest.loops[i].read;
    if (read > 0 && read <= kNear && read < nest.loops[near].read) near = i;
  }
  if (near + 1 == nest.loops.size()) return std::nullopt;
  const std::int64_t piece = row.count * nest.run;
  if (piece < kPiece && nest.loops[near].write != piece) return std::nullopt;
  return near;
}

// How many steps of a loop, a divisor of their count, make blocks of `bytes` worth a call.
std::int64_t steps_worth_a_call(std::int64_t bytes, std::int64_t count) {
  constexpr std::int64_t kWorthACall = 4 << 10;
  std::int64_t steps = std::clamp<std::int64_t>(kWorthACall / bytes, 1, count);
  while (count % steps != 0) --steps;
  return steps;
}

// The kernel takes the last loop, and of the one or two around it so many steps that the work is
// worth a call.
Arrangement rows_worth_a_call(const UnitNest& nest) {
  constexpr std::int64_t kMost = 24 << 10;
  const std::size_t last = nest.loops.size() - 1;
  const Step& row = nest.loops[last];
  const Step& around = nest.loops[last - 1];
  std::int64_t steps = steps_worth_a_call(nest.run * row.count, around.count);
  if (steps == 1) return taking(nest, {last});
  Arrangement arrangement = taking(nest, {last, last - 1});
  if (steps == around.count) {
    const std::int64_t bytes = nest.run * row.count * around.count;
    if (arrangement.outer.empty() || arrangement.outer.back().write != bytes) return arrangement;
    const std::int64_t count = arrangement.outer.back().count;
    steps = steps_worth_a_call(bytes, count);
    if (steps == 1 && bytes * count <= kMost) steps = count;
    if (steps == 1) return arrangement;
    take_one_more(arrangement);
    if (steps == count) return arrangement;
  }
  Step& cut = arrangement.inner.back();
  arrangement.outer.push_back({cut.count / steps, cut.read * steps, cut.write * steps});
  cut.count = steps;
  return arrangement;
}

// Where a call would copy little, it takes the loop around it as well, if that one has enough steps
// to be shared between threads, or the copy is too small to be shared.
Arrangement with_further_loop(Arrangement arrangement, std::int64_t whole) {
  constexpr std::int64_t kLittle = 8 << 10, kEnough = 16, kOfOneThread = 512 << 10;
  if (arrangement.inner.size() != 2 || arrangement.outer.empty()) return arrangement;
  const std::int64_t bytes =
      arrangement.run * arrangement.inner[0].count * arrangement.inner[1].count;
  if (bytes > kLittle) return arrangement;
  if (whole > kOfOneThread && arrangement.outer.back().count < kEnough) return arrangement;
  take_one_more(arrangement);
  arrangement.cut = 2;
  return arrangement;
}

// The last loop and the one around it, where there is one.
Arrangement last_loops(const UnitNest& nest) {
  const std::size_t last = nest.loops.size() - 1;
  Arrangement arrangement = last == 0 ? taking(nest, {0}) : taking(nest, {last, last - 1});
  arrangement.cut = last == 0 ? 0 : 1;
  arrangement.granule = last == 0 ? kLine / nest.run : 1;
  return arrangement;
}

// The kernel takes all loops of a nest, innermost first; threads may share the outermost.
Arrangement taking_all(const UnitNest& nest) {
  Arrangement arrangement;
  arrangement.run = nest.run;
  for (std::size_t i = nest.loops.size(); i-- > 0;) arrangement.inner.push_back(nest.loops[i]);
  arrangement.cut = static_cast<int>(nest.loops.size()) - 1;
  return arrangement;
}

// The width of a lookup's result in bytes.
std::int64_t vector_of(const Target& target) { return target.name == "avx512_vbmi" ? 64 : 16; }

// Rows read backwards, element by element: the steps kernel reverses them in the time of a few
// lookups.
bool turned_in_vectors(const UnitNest& nest) {
  return nest.loops.back().read == -nest.run && nest.loops.back().count * nest.run >= kLine &&
         short_steps(nest);
}

Steps innermost_first(const UnitNest& nest) {
  Steps loops = nest.loops;
  std::ranges::reverse(loops);
  return loops;
}

// How many windows of the input each vector would be looked up in (exact up to `most`), or nothing
// where the tables cost more than they gain.
std::optional<double> windows_worth_it(const UnitNest& nest, const Situation& situation,
                                       double most) {
  if (nest.loops.empty() || nest.run > kLongestGathered) return std::nullopt;
  const std::int64_t vector = vector_of(situation.target);
  const Steps loops = innermost_first(nest);
  const GatherBlock block =
      gather_block(nest.run, loops, nest.half_bytes, kGatheredVectors * vector, vector);
  // Elements, per vector of a block, from which on building the tables pays.
  constexpr std::int64_t kWorthPlanning = 4096;
  if (block.units == 0) return std::nullopt;
  if (!situation.tables_are_kept &&
      nest.units() / nest.run * vector < kWorthPlanning * block.units) {
    return std::nullopt;
  }
  const double windows = windows_each(block, nest.run, loops, nest.half_bytes, vector, most);
  constexpr std::int64_t kManyTurned = 32 << 10;
  if ((windows > 1 || nest.units() < kManyTurned) && turned_in_vectors(nest)) return std::nullopt;
  return windows;
}

GatherBlock block_of_words(const UnitNest& nest) {
  return gather_block(nest.run, innermost_first(nest), false, kMostOfWords, kWordBytes);
}

// Whether a list of a copy's rows is kept, and walking the list takes less time than the loops.
bool can_be_listed(const UnitNest& nest, const Situation& situation) {
  // Larger copies are faster in the order of the rows kernel, which reads neighbours soon after
  // each other, and so are short rows in a long innermost loop.
  constexpr std::int64_t kInCache = 64 << 10, kShort = 32, kLongLoop = 16;
  return situation.tables_are_kept && nest.units() <= kInCache && nest.loops.size() > 1 &&
         (nest.run >= kShort || nest.loops.back().count < kLongLoop) && short_rows_in_a_row(nest);
}

}  // namespace

void take_one_more(Arrangement& arrangement) {
  arrangement.inner.push_back(arrangement.outer.back());
  arrangement.outer.pop_back();
}

void read_neighbours_soon(Steps& around, std::int64_t run, const Steps& inner) {
  constexpr std::int64_t kNear = 4 * kLine, kKept = 8 << 10;
  // Of so many pieces each is in a page of its own, and the pages do not stay in the TLB.
  constexpr std::int64_t kPage = 64 * kLine, kPages = 1 << 10;
  std::int64_t read = together(run, inner, &Step::read);
  if (read >= together(run, inner, &Step::write)) return;
  // Each time the nearest of the loops that are left, as long as the pieces become longer.
  for (auto end = around.end(); end - around.begin() > 1; --end) {
    const auto nearest = std::min_element(around.begin(), end, [](const Step& a, const Step& b) {
      const auto far = [](const Step& loop) {
        return loop.read == 0 ? INT64_MAX : std::abs(loop.read);
      };
      return far(a) < far(b);
    });
    const Step near = *nearest;
    std::int64_t inside = run;  // bytes copied before the neighbours are read
    for (const Step& loop : inner) inside *= loop.count;
    for (auto loop = nearest + 1; loop != around.end(); ++loop) inside *= loop->count;
    const bool many_pages = inside / read > kPages && inside > second_cache_bytes() / 2;
    const std::int64_t most = many_pages ? kPage : kNear;
    if (read >= most || near.read == 0 || std::abs(near.read) > most || inside <= kKept) return;
    std::copy(nearest + 1, end, nearest);
    *(end - 1) = near;
    if (near.read != read) return;
    read *= near.count;
  }
}

Arrangement taking(const UnitNest& nest, std::span<const std::size_t> taken) {
  Arrangement arrangement;
  arrangement.run = nest.run;
  for (const std::size_t i : taken) arrangement.inner.push_back(nest.loops[i]);
  if (taken.size() == nest.loops.size()) return arrangement;
  for (std::size_t i = 0; i < nest.loops.size(); ++i) {
    if (std::ranges::find(taken, i) == taken.end()) arrangement.outer.push_back(nest.loops[i]);
  }
  read_neighbours_soon(arrangement.outer, arrangement.run, arrangement.inner);
  return arrangement;
}

bool writes_runs(const UnitNest& nest) {
  return !nest.half_bytes && !nest.loops.empty() && is_width(nest.run) &&
         nest.loops.back().write == nest.run;
}

std::optional<Arrangement> one_run(const UnitNest& nest) {
  if (nest.half_bytes || !nest.loops.empty()) return std::nullopt;
  Arrangement arrangement;
  arrangement.run = 1;
  arrangement.inner = {{nest.run, 1, 1}};
  arrangement.cut = 0;
  arrangement.granule = 4096;
  return arrangement;
}

std::optional<Arrangement> one_element_repeated(const UnitNest& nest) {
  if (!writes_runs(nest) || nest.loops.back().read != 0) return std::nullopt;
  // Shorter runs each cost as much as these; other kernels write several of them at a time.
  constexpr std::int64_t kShort = 16, kFew = 4;
  const std::int64_t times = nest.loops.back().count;
  if (times <= kFew || times * nest.run <= kShort) return std::nullopt;
  return last_loops(nest);
}

std::optional<Arrangement> short_steps(const UnitNest& nest) {
  if (!writes_runs(nest) || nest.loops.back().count < 16) return std::nullopt;
  const std::int64_t step = nest.loops.back().read;
  const bool known = step == -nest.run || (step >= 2 * nest.run &&
                                           step <= kLongestStep * nest.run && step % nest.run == 0);
  if (!known) return std::nullopt;
  return last_loops(nest);
}

// Every third or fourth of narrow elements is looked up faster, where the copy is worth the tables.
bool steps_in_vectors(const UnitNest& nest, const Situation& situation) {
  constexpr std::int64_t kWorthThirds = 3 << 10, kWorthFourths = 1000;
  if (nest.loops.empty() || vector_of(situation.target) < kLine) return true;
  const std::int64_t step = nest.loops.back().read;
  if (nest.run <= 2 && step == 4 * nest.run) return nest.units() < kWorthFourths;
  return nest.run > 1 || step != 3 || nest.units() < kWorthThirds;
}

std::optional<Arrangement> short_runs_in_short_steps(const UnitNest& nest) {
  constexpr std::int64_t kWorthPlanning = 32, kLongestRun = 12;
  if (nest.half_bytes || nest.loops.empty() || nest.run > kLongestRun ||
      nest.loops.back().write != nest.run || nest.loops.back().count * nest.run < kWorthPlanning ||
      packed_at_once(nest.run, nest.loops.back().read, 64) < 3) {
    return std::nullopt;
  }
  return last_loops(nest);
}

bool packs_in_windows(const UnitNest& nest, const Situation& situation) {
  constexpr std::int64_t kWorthLookingUp = 4, kWorthPlanning = 160, kLongRow = 8;
  if (nest.loops.empty() || nest.units() < kWorthPlanning * nest.run) return false;
  const Step& row = nest.loops.back();
  const std::int64_t window = vector_of(situation.target);
  const std::int64_t together = packed_at_once(nest.run, row.read, window);
  // The rest of a row that fills no window is copied run by run, so a row must have enough windows.
  if (together == 0 || row.count < kLongRow * packed_from(nest.run, row.read, window)) return false;
  return window > 16 || (together >= 2 && together * nest.run >= kWorthLookingUp);
}

bool shuffles_in_vectors(const UnitNest& nest, const Situation& situation) {
  constexpr std::int64_t kWorthPlanning = 64 << 10, kLongBlock = 256;
  if (!looks_up_in_vectors(nest, situation.target)) return false;
  // Each vector of a long block is looked up in many vectors.
  const std::int64_t block = nest.loops.size() < 3 ? 0 : nest.loops[nest.loops.size() - 3].write;
  if (block > kLongBlock && (nest.run >= 8 || has_instructions_to_deal(nest))) return false;
  if (!situation.tables_are_kept && nest.units() < kWorthPlanning) return false;
  // Two vectors that hold all that is shuffled together need one lookup each.
  constexpr std::int64_t kTwoVectors = 128, kWidestElement = 16;
  const bool two_vectors =
      block > kTwoVectors - 32 && block <= kTwoVectors && nest.run < kWidestElement;
  if (!two_vectors && can_be_listed(nest, situation)) return false;
  // Where one window is enough for each vector, or for every second wide one, gather is faster.
  const double few = vector_of(situation.target) == kLine ? 1.5 : 1;
  const std::optional<double> windows = windows_worth_it(nest, situation, few);
  return !windows || *windows > few;
}

std::optional<Arrangement> short_blocks(const UnitNest& nest) {
  constexpr std::int64_t kLongestRun = 16;
  if (nest.half_bytes || nest.run > kLongestRun) return std::nullopt;
  std::int64_t bytes = nest.run;
  Steps inside;  // with read steps made positive
  for (std::size_t i = nest.loops.size(); i-- > 1;) {
    const Step& loop = nest.loops[i];
    if (loop.write != bytes || loop.read == 0 || loop.count > kMostShuffled / bytes) break;
    // A long run read backwards needs no lookups across vectors.
    if (inside.empty() && loop.read == -nest.run && loop.count * nest.run >= kLine) {
      break;
    }
    bytes *= loop.count;
    inside.push_back({loop.count, std::abs(loop.read), loop.write});
    const Step& blocks = nest.loops[i - 1];
    if (blocks.write != bytes || blocks.read != bytes) continue;
    // All blocks together do not fill a vector: no lookups.
    if (blocks.count * bytes < kLine) break;
    std::ranges::sort(inside, {}, &Step::read);
    std::int64_t dense = nest.run;
    for (const Step& step : inside) dense = step.read == dense ? dense * step.count : 0;
    if (dense != bytes) break;
    Arrangement arrangement = taking_all(nest);
    arrangement.along_write = inside.size();
    return arrangement;
  }
  return std::nullopt;
}

bool looks_up_in_vectors(const UnitNest& nest, const Target& target) {
  return target.name == "avx512_vbmi" || (target.name == "avx512" && nest.run % 2 == 0);
}

std::optional<Arrangement> gathered(const UnitNest& nest) {
  if (nest.half_bytes || nest.loops.empty() || nest.run > kLongestGathered) return std::nullopt;
  return taking_all(nest);
}

std::optional<Arrangement> gathered_halves(const UnitNest& nest) {
  if (nest.loops.empty() || nest.run > kLongestGathered || nest.write_offset % 2 != 0) {
    return std::nullopt;
  }
  return in_half_bytes(nest);
}

bool gathers_halves_in_few_windows(const UnitNest& nest, const Situation& situation) {
  if (!nest.half_bytes || nest.loops.empty()) return false;
  // In the time of one lookup, 12 half bytes can be unpacked, copied as bytes and packed again;
  // more where either side has long rows.
  constexpr std::int64_t kLongRow = 128;
  constexpr double kFew = 4.5;
  const bool long_rows = std::ranges::any_of(nest.loops, [&](const Step& loop) {
    return std::abs(loop.read) == 1 && std::max(loop.count, nest.loops.back().count) >= kLongRow;
  });
  const double unpacked = static_cast<double>(2 * vector_of(situation.target)) / 12;
  const double most = long_rows ? std::min(kFew, unpacked) : unpacked;
  const std::optional<double> windows = windows_worth_it(nest, situation, most);
  return windows && *windows <= most;
}

bool gathers_in_few_windows(const UnitNest& nest, const Situation& situation) {
  if (nest.half_bytes || nest.loops.empty()) return false;
  constexpr std::int64_t kLongRow = 128, kShortPacked = 2 << 10, kLongLoop = 16,
                         kInFirstCache = 16 << 10;
  const Step& row = nest.loops.back();
  // Wide elements in a long loop are faster copied one by one, and the widest ones always, unless
  // they stay in the L1 cache.
  if (nest.run >= 8 && row.count >= kLongLoop) return false;
  if (nest.run == kLongestGathered && nest.units() > kInFirstCache) return false;
  // The packed kernel needs one lookup for each window, so it is faster for long rows, unless the
  // copy is so short that computing its indices takes longer.
  if (row.count * nest.run >= kLongRow && packs_in_windows(nest, situation) &&
      short_runs_in_short_steps(nest) && steps_in_vectors(nest, situation) &&
      (!situation.tables_are_kept || nest.units() > kShortPacked)) {
    return false;
  }
  // In the time of one lookup two elements can be copied one by one; four in a long loop, where a
  // wide vector needs so many lookups that they are no straight code. Two lookups pay for runs of
  // less than 8 bytes in any vector.
  constexpr double kStraight = 4;
  const std::int64_t vector = vector_of(situation.target);
  const double elements = static_cast<double>(vector) / static_cast<double>(nest.run);
  double most = std::max(elements / 2, nest.run < 8 ? 2.0 : 0.0);
  if (vector == kLine && row.count >= kLongLoop) {
    most = std::max(std::min(kStraight, most), elements / 4);
  }
  const std::optional<double> windows = windows_worth_it(nest, situation, most);
  return windows && *windows <= most;
}

bool gathers_short_rows(const UnitNest& nest, const Situation& situation) {
  constexpr double kFew = 4;
  if (nest.half_bytes || nest.loops.empty() || nest.loops.back().count * nest.run >= kLine) {
    return false;
  }
  // Tiles turn rows of pairs no faster than single elements, and of up to four where the reader's
  // are as short.
  const std::int64_t row = nest.loops.back().count;
  const bool long_for_reader = std::ranges::any_of(nest.loops, [&](const Step& loop) {
    return loop.read == nest.run && loop.count * nest.run >= kLine;
  });
  const bool tiny = row == 2 || (row <= 4 && !long_for_reader);
  const std::int64_t at_once = tiny && nest.run == 4 ? 4 : 8;
  const double most = std::min(kFew, static_cast<double>(vector_of(situation.target)) /
                                         static_cast<double>(at_once * nest.run));
  const std::optional<double> windows = windows_worth_it(nest, situation, most);
  return windows && *windows <= most;
}

bool gathers_instead_of_permuting(const UnitNest& nest, const Situation& situation) {
  if (!situation.tables_are_kept || nest.run >= 8 || vector_of(situation.target) < kLine) {
    return false;
  }
  const std::optional<Arrangement> permuted = several_loops_differ(nest);
  if (!permuted) return false;
  // Pieces that are narrower on one side than half a vector are turned in parts of vectors.
  constexpr std::int64_t kNarrow = 8;
  constexpr double kFew = 4, kFewForNarrow = 6;
  std::int64_t written = nest.run, read = nest.run;
  for (std::size_t i = 0; i < permuted->along_write + permuted->along_read; ++i) {
    (i < permuted->along_write ? written : read) *= permuted->inner[i].count;
  }
  const double most = std::min(written, read) < kNarrow ? kFewForNarrow : kFew;
  const std::optional<double> windows = windows_worth_it(nest, situation, most);
  return windows && *windows <= most;
}

std::optional<Arrangement> gathered_words(const UnitNest& given) {
  if (given.half_bytes || given.loops.empty() || given.run > kLongestGathered) return std::nullopt;
  UnitNest nest = given;
  // The loops around a block, so that lines that are read in part are soon read again.
  const std::size_t inside = block_of_words(given).whole + 1;
  if (inside < nest.loops.size()) {
    std::sort(nest.loops.begin(), nest.loops.end() - static_cast<std::ptrdiff_t>(inside),
              [](const Step& a, const Step& b) { return std::abs(a.read) > std::abs(b.read); });
  }
  return taking_all(nest);
}

// Whether lines that a block and its row read in part have left the L2 cache before a loop around
// them reads the rest.
bool reads_lines_again(const UnitNest& nest, std::size_t inside) {
  constexpr std::int64_t kInL1 = 48 << 10;
  if (nest.units() <= kInL1) return false;
  const auto around = nest.loops.end() - static_cast<std::ptrdiff_t>(inside);
  std::int64_t elements = 1;
  for (auto loop = around; loop != nest.loops.end(); ++loop) elements *= loop->count;
  return elements * kLine > second_cache_bytes() &&
         std::any_of(nest.loops.begin(), around,
                     [](const Step& loop) { return std::abs(loop.read) < kLine; });
}

bool gathers_words(const UnitNest& nest, const Situation& situation) {
  constexpr std::int64_t kWorthPlanning = 64 << 10;
  if (vector_of(situation.target) < kLine || !gathers_words_fast()) return false;
  if (!situation.tables_are_kept && nest.units() < kWorthPlanning) return false;
  const std::optional<Arrangement> permuted = several_loops_differ(nest);
  if (!permuted || nest.run > 4) return false;
  const GatherBlock block = block_of_words(nest);
  if (reads_lines_again(nest, std::min(nest.loops.size(), block.whole + 1))) return false;
  std::int64_t written = 1, read = 1;  // elements of a piece that is turned
  for (std::size_t i = 0; i < permuted->along_write + permuted->along_read; ++i) {
    (i < permuted->along_write ? written : read) *= permuted->inner[i].count;
  }
  // On an Emerald Rapids 16 words took the time in which 16 to 32 elements are turned, if pieces are
  // large or fill the tiles: fewer elements of small pieces, and of those that fill parts of tiles.
  constexpr std::int64_t kTile = 4, kSmallPiece = 256, kNarrow = 5, kLong = 64, kPart = 3;
  if (nest.run == 4) {
    const std::int64_t at_once = permuted->inner[permuted->along_write].count;
    return (written * read <= kSmallPiece && (written % kTile != 0 || read % kTile != 0)) ||
           (written <= kNarrow && read > kLong && at_once % kTile != 0);
  }
  if (nest.run == 2 && read == kPart) return true;
  // Output rows of one to two vectors of 16 bytes are gathered whole by the tiles.
  const bool gathered_rows = written * nest.run > 16 && written * nest.run < 32;
  const std::int64_t enough = gathered_rows ? 60 : 48;
  constexpr std::int64_t kLookedAt = 256;
  const Steps loops = innermost_first(nest);
  std::int64_t bytes = 0, groups = 0;
  for (; bytes < std::min(block.units, kLookedAt); ++groups) {
    bytes += words_from(block, nest.run, loops, bytes).bytes;
  }
  return groups > 0 && bytes >= enough * groups;
}

std::optional<Arrangement> short_rows_in_a_row(const UnitNest& nest) {
  if (nest.half_bytes || nest.loops.empty() || nest.run < 8 || nest.run > kLongestListed) {
    return std::nullopt;
  }
  // The list has room for so many offsets of 32 bits.
  std::int64_t rows = 1, apart = 0;
  for (std::size_t i = nest.loops.size(); i-- > 0;) {
    const Step& loop = nest.loops[i];
    const std::int64_t step = std::abs(loop.read);
    if (loop.write != rows * nest.run || loop.count > kMostListed / rows ||
        step > (INT32_MAX - apart) / loop.count) {
      return std::nullopt;
    }
    rows *= loop.count;
    apart += step * loop.count;
  }
  return taking_all(nest);
}

bool lists_few_rows(const UnitNest& nest, const Situation& situation) {
  if (!can_be_listed(nest, situation)) return false;
  if (nest.run > kLongestGathered) return true;
  // Rows of a line that come from long ones are turned.
  constexpr std::int64_t kLongRow = 16;
  const std::optional<Arrangement> turned = reader_and_writer_differ(nest);
  if (turned && turned->inner[0].count * nest.run >= kLine && turned->inner[1].count >= kLongRow) {
    return false;
  }
  // A row of 8 or 16 bytes is one move, and one of another length is two. A lookup takes the time
  // of three moves, and so does what belongs to each vector besides.
  const double vector = static_cast<double>(vector_of(situation.target));
  const double moves = vector / static_cast<double>(nest.run) * (nest.run % 8 == 0 ? 1 : 2);
  const double few = moves / 3 - 1;
  if (few < 1) return true;
  const std::optional<double> windows = windows_worth_it(nest, situation, few);
  return !windows || *windows > few;
}

std::optional<Arrangement> short_rows_across(const UnitNest& given) {
  // Tiles leave around the caches early: they are as fast there, and their prefetching gains.
  const std::int64_t from = last_cache_bytes() / 5 * 2;
  if (given.half_bytes || given.loops.size() < 2 || given.run < 8 || 2 * given.units() <= from) {
    return std::nullopt;
  }
  const UnitNest nest = neighbours_soon(given);
  const std::size_t last = nest.loops.size() - 1;
  if (((nest.run | nest.loops[last].write | nest.loops[last - 1].write) & (kLine - 1)) == 0) {
    return std::nullopt;  // whole lines
  }
  const std::optional<std::size_t> across = loop_across(nest);
  if (!across) return std::nullopt;
  Arrangement arrangement = taking(nest, {last, *across});
  arrangement.stream_from = from;
  arrangement.cut = 1;
  return arrangement;
}

std::optional<Arrangement> rows(const UnitNest& given) {
  if (given.half_bytes || given.loops.empty() || given.run < 8) return std::nullopt;
  const UnitNest nest = neighbours_soon(given);
  const std::size_t last = nest.loops.size() - 1;
  const std::int64_t moved = 2 * nest.units(), stream_from = last_cache_bytes() / 10 * 7;
  const bool whole_lines =
      last >= 1 &&
      ((nest.run | nest.loops[last].write | nest.loops[last - 1].write) & (kLine - 1)) == 0;
  // A short loop over short rows: entering it costs more than it copies.
  constexpr std::int64_t kShortRow = 16, kFewSteps = 6;
  if (nest.run <= kShortRow && last > 0 && nest.loops[last].count < kFewSteps) return std::nullopt;
  const bool other_order = last >= 1 && nest.loops[last].read > nest.loops[last - 1].read &&
                           nest.loops[last - 1].read > 0;
  // Short rows that are consecutive in the output are collected and leave around the caches
  // together. Many that the reader has in another order are walked in blocks instead.
  constexpr std::int64_t kMany = 16 << 10;
  const bool in_blocks = other_order && nest.run * nest.loops[last].count > kMany;
  if (last >= 1 && moved > stream_from && nest.run < 4 * kLine && !whole_lines && !in_blocks &&
      nest.loops[last].write == nest.run &&
      nest.loops[last - 1].write == nest.run * nest.loops[last].count) {
    Arrangement arrangement = rows_worth_a_call(nest);
    arrangement.stream_from = stream_from;
    return arrangement;
  }
  // Rows that the reader has in another order. A copy that stays in the caches is walked in blocks
  // of the writer's rows; a larger one is read in the reader's order and streamed.
  if (other_order) {
    const bool streamed = moved > stream_from && (whole_lines || nest.run >= 4 * kLine);
    // Threads cut the writer's rows if a part of one is many lines; else they share whole rows. A
    // streamed copy writes whole lines, and threads share the input.
    constexpr std::int64_t kWorthSharing = 64 * kLine;
    Arrangement arrangement =
        streamed ? taking(nest, {last - 1, last}) : taking(nest, {last, last - 1});
    arrangement.cut = streamed || nest.run * nest.loops[last].count < kWorthSharing ? 1 : 0;
    if (streamed) arrangement.stream_from = stream_from;
    return streamed ? arrangement : with_further_loop(arrangement, nest.units());
  }
  Arrangement arrangement = last == 0 ? taking(nest, {0}) : taking(nest, {last, last - 1});
  arrangement.cut = last == 0 ? 0 : 1;
  return with_further_loop(arrangement, nest.units());
}

std::optional<Arrangement> in_half_bytes(const UnitNest& nest) {
  if (!nest.half_bytes) return std::nullopt;
  Arrangement arrangement = taking_all(nest);
  arrangement.stream_from = last_cache_bytes() / 8;
  return arrangement;
}

std::optional<Arrangement> whole_bytes(const UnitNest& nest) {
  if (nest.half_bytes) return std::nullopt;
  return taking_all(in_blocks(nest));
}

}  // namespace reshape::optimized
