#include <algorithm>
#include <optional>

#include "optimized/kernels/arrangements.h"
#include "optimized/kernels/limits.h"
#include "optimized/kernels/machine.h"

// How copies are walked whose reader and writer go along different loops.

namespace reshape::optimized {
namespace {

constexpr std::int64_t kLine = 64;

// Lines of many output rows, written a row apart, evict each other from the last cache long before
// both sides fill it; those of a few rows do so later.
std::int64_t many_rows_stream_from() { return last_cache_bytes() / 16 * 5; }
// On an Emerald Rapids, whose share is 8 MiB, elements of 4 and 8 bytes were 1.1 to 1.3 times as
// fast around the caches from 3 MiB on.
std::int64_t few_rows_stream_from(std::int64_t run) {
  const bool early = run >= 4 && shares_last_cache();
  return last_cache_bytes() / 16 * (early ? 6 : 9);
}

// The loop that is contiguous for the reader; the last one is not considered.
std::optional<std::size_t> reader_loop(const UnitNest& nest) {
  for (std::size_t i = 0; i + 1 < nest.loops.size(); ++i) {
    if (nest.loops[i].read == nest.run) return i;
  }
  return std::nullopt;
}

// The rows that one run becomes: the loops that the reader goes along before the last one's next
// step, and how many rows these are.
struct Split {
  InlineVector<std::size_t, 4> loops;
  std::int64_t count = 1;
};

std::optional<Split> split_of(const UnitNest& nest) {
  const Step& along = nest.loops.back();
  Split split;
  while (split.count < kMostSplit) {
    const std::int64_t bytes = split.count * nest.run;
    if (along.read == bytes && !split.loops.empty()) return split;
    std::size_t next = 0;
    while (next + 1 < nest.loops.size() && nest.loops[next].read != bytes) ++next;
    if (next + 1 >= nest.loops.size()) return std::nullopt;
    split.loops.push_back(next);
    split.count *= nest.loops[next].count;
  }
  return std::nullopt;
}

// Whether there are load or store instructions that deal exactly this number of rows.
bool is_split_by_instructions(std::int64_t parts, std::int64_t bytes) {
  return (parts >= 2 && parts <= 4) || (parts == 8 && bytes < 8);
}

// Some of a nest's loops (indices, innermost first) that together are contiguous on one side.
struct Along {
  InlineVector<std::size_t, 16> loops;
  std::int64_t bytes = 0;

  bool has(std::size_t loop) const { return std::ranges::find(loops, loop) != loops.end(); }
  void add(const UnitNest& nest, std::size_t loop) {
    bytes = (loops.empty() ? nest.run : bytes) * nest.loops[loop].count;
    loops.push_back(loop);
  }
  // The loop that continues these on that side, unless `other` has it or `enough` bytes are
  // reached.
  std::optional<std::size_t> next(const UnitNest& nest, std::int64_t Step::* side,
                                  std::int64_t enough, const Along& other) const {
    for (std::size_t i = 0; bytes < enough && i < nest.loops.size(); ++i) {
      if (nest.loops[i].*side == bytes && !has(i) && !other.has(i)) return i;
    }
    return std::nullopt;
  }
};

// The loops that the writer and the reader each go along.
struct Sides {
  Along write, read;
};

// A loop that continues both sides goes to the reader, if the writer has a strip of `strip` bytes.
Sides sides_of(const UnitNest& nest, std::size_t reader, std::int64_t strip) {
  Sides sides;
  auto& [write, read] = sides;
  write.add(nest, nest.loops.size() - 1);
  read.add(nest, reader);
  // Lines read in part are soon read again: they cost less than lines written in part.
  constexpr std::int64_t kEnoughWritten = 16 * kLine;
  // Parts of lines that evict each other before they are read again cost more.
  const Step& rows = nest.loops.back();
  const std::int64_t enough_read = evict_each_other(rows.count, rows.read) ? 4 * kLine : kLine;
  while (true) {
    const auto written = write.next(nest, &Step::write, kEnoughWritten, read);
    const auto taken = read.next(nest, &Step::read, enough_read, write);
    if (!written && !taken) return sides;
    if (taken && (taken != written || write.bytes >= strip)) {
      read.add(nest, *taken);
    } else {
      write.add(nest, *written);
    }
  }
}

Sides sides_of(const UnitNest& nest, std::size_t reader) {
  // Only whole lines leave around the caches, but parts of tiles take as long as whole ones.
  constexpr std::int64_t kStrip = 16, kTile = 4;
  if (2 * nest.units() > few_rows_stream_from(nest.run)) {
    const Sides lines = sides_of(nest, reader, kLine);
    if (lines.write.bytes >= kLine && lines.read.bytes / nest.run % kTile == 0) return lines;
  }
  return sides_of(nest, reader, kStrip);
}

// Whether blocks of so many bytes, which the loop around them writes one after the other, leave
// around the caches by a stage in which several of them are joined: that loop stays outside of the
// kernel.
bool leave_joined(const UnitNest& nest, std::int64_t block, const Step& around) {
  constexpr std::int64_t kStaged = 8 << 10;
  return around.write == block && block < kStaged / 2 && block * around.count > kStaged &&
         2 * nest.units() > few_rows_stream_from(nest.run);
}

// Whether the rows that one run becomes, in steps of the loop around them, do so: three or four,
// which are split by instructions, too short for a stage of their own, and no whole lines. On an
// Emerald Rapids rows of half a KiB and more took .25 to .8 of the time of other kernels, and
// shorter ones of 4 and 8 bytes .45 to .95 where a call splits more than a KiB.
bool rows_leave_joined(const UnitNest& nest, const Split& split, const Step& around) {
  constexpr std::int64_t kLong = 512, kWorthACall = 9 << 7;
  const std::int64_t row = nest.loops.back().count * nest.run, block = row * split.count;
  if (split.count < 3 || split.count > 4 || row >= kStreamedRow) return false;
  if (nest.loops[split.loops.front()].write % kLine == 0) return false;
  const bool is_worth_it = row >= kLong || (nest.run >= 4 && block >= kWorthACall);
  return is_worth_it && leave_joined(nest, block, around);
}

}  // namespace

std::optional<Arrangement> few_rows_become_one(const UnitNest& nest) {
  if (!writes_runs(nest) || nest.loops.size() < 2) return std::nullopt;
  const std::size_t last = nest.loops.size() - 1;
  const Step& part = nest.loops[last];
  const Step& along = nest.loops[last - 1];
  if (along.read != nest.run || along.write != part.count * nest.run || along.count < 16) {
    return std::nullopt;
  }
  // Rows of whole lines, and long ones, are left to the transpose. Around the caches that takes up to
  // 1.7 times as long: it writes a line that two rows share twice, through them.
  const std::int64_t bytes = part.count * nest.run;
  const bool streamed = 2 * nest.units() > few_rows_stream_from(nest.run) && follows_many_rows();
  if (bytes % kLine == 0 || bytes > (streamed ? kMostDealtAround : kMostDealt)) return std::nullopt;
  Arrangement arrangement = taking(nest, {last, last - 1});
  arrangement.stream_from = few_rows_stream_from(nest.run);
  if (last == 1) {
    arrangement.cut = 1;
    arrangement.granule = kLine / nest.run;
    return arrangement;
  }
  // A long loop of a streamed copy that reads here and there stays outside: its steps are joined in
  // a stage, and prefetched.
  const Step& around = arrangement.outer.back();
  const std::int64_t block = bytes * along.count;
  if (nest.units() > arrangement.stream_from && around.read != block &&
      leave_joined(nest, block, around)) {
    return arrangement;
  }
  take_one_more(arrangement);
  arrangement.cut = 2;
  return arrangement;
}

std::optional<Arrangement> one_row_becomes_few(const UnitNest& nest) {
  if (!writes_runs(nest)) return std::nullopt;
  const std::optional<Split> split = split_of(nest);
  if (!split) return std::nullopt;
  const std::size_t last = nest.loops.size() - 1;
  const Step& along = nest.loops[last];
  // Rows along several loops must be lines.
  const std::int64_t least = split->loops.size() > 1 ? kLine / nest.run : 8;
  if (along.count < least) return std::nullopt;
  InlineVector<std::size_t, 8> taken = {last};
  for (const std::size_t loop : split->loops) taken.push_back(loop);
  Arrangement arrangement = taking(nest, std::span<const std::size_t>(taken));
  arrangement.along_read = split->loops.size();
  arrangement.stream_from = few_rows_stream_from(nest.run);
  if (!arrangement.outer.empty()) {
    if (rows_leave_joined(nest, *split, arrangement.outer.back())) return arrangement;
    arrangement.cut = static_cast<int>(arrangement.inner.size());
    take_one_more(arrangement);
    return arrangement;
  }
  arrangement.cut = 0;
  arrangement.granule = kLine / nest.run;
  return arrangement;
}

// Whether the writer's last loop and the reader's are long enough for the transpose.
bool is_worth_turning(const UnitNest& nest, const Step& across) {
  const std::int64_t along = nest.loops.back().count;
  return along >= 4 && across.count >= 4 && along * across.count >= 64;
}

// Whether the transpose of the writer's last loop and the reader's is as fast as permute, which
// joins further loops to them: if they are long, if they nearly fill the writer's vectors in a copy
// that stays in the L2 cache, if they are columns of 8 bytes that fill lines of the input, or if
// there are only a few such pieces.
bool is_turned_without_lists(const UnitNest& nest, const Step& across) {
  constexpr std::int64_t kFewPieces = 6, kPiece = 1 << 10, kVector = 16, kSecondCache = 512 << 10;
  const std::int64_t along = nest.loops.back().count, row = along * nest.run;
  const std::int64_t piece = row * across.count;
  if (!is_worth_turning(nest, across)) return false;
  // What the transpose leaves of a line is read again soon, unless it was evicted.
  const bool evicted = evict_each_other(along, nest.loops.back().read);
  if (evicted && across.count * nest.run % kLine != 0) return false;
  // Lines of the output that further loops fill must still be in the caches then.
  const bool stay = row % kLine == 0 || nest.units() <= kSecondCache;
  if (stay && nest.units() <= kFewPieces * piece) return true;
  if (stay && nest.run == 8 && along >= 8 && across.count % 8 == 0) return true;
  if (nest.units() > kSecondCache) return row >= 2 * kLine && piece >= 2 * kPiece;
  const std::int64_t vectors = (row + kVector - 1) / kVector;
  return vectors > 1 && 8 * row >= 7 * vectors * kVector && piece >= kPiece;
}

std::optional<Arrangement> several_loops_differ(const UnitNest& nest) {
  if (!writes_runs(nest) || nest.loops.size() < 3) return std::nullopt;
  const std::optional<std::size_t> reader = reader_loop(nest);
  if (!reader) return std::nullopt;
  const std::size_t last = nest.loops.size() - 1;
  const auto [write, read] = sides_of(nest, *reader);
  // The transpose handles one loop of each side, and no short ones.
  const bool several = write.loops.size() > 1 || read.loops.size() > 1 ||
                       nest.loops[last].count < 4 ||
                       nest.loops[last].count * nest.loops[*reader].count < 64;
  const std::int64_t together = write.bytes / nest.run * (read.bytes / nest.run);
  constexpr std::int64_t kWorthTurning = 64, kWorthListing = 256;
  // Pairs of 2 bytes are looked up in less time where they stay in the L1 cache.
  constexpr std::int64_t kInL1 = 32 << 10;
  const bool pairs = nest.run >= 4 || (nest.run == 2 && nest.units() > kInL1);
  const std::int64_t few = pairs ? 2 : 4;
  // Tiles are a vector wide on one side at least; what is smaller would be moved one by one.
  constexpr std::int64_t kVector = 16;
  const bool long_enough = std::min(write.bytes, read.bytes) >= few * nest.run &&
                           std::max(write.bytes, read.bytes) >= kVector;
  if (!several || is_turned_without_lists(nest, nest.loops[*reader]) || !long_enough ||
      together < kWorthTurning || nest.units() < kWorthListing * nest.run) {
    return std::nullopt;
  }

  Arrangement arrangement;
  arrangement.run = nest.run;
  arrangement.stream_from = few_rows_stream_from(nest.run);
  arrangement.along_write = write.loops.size();
  arrangement.along_read = read.loops.size();
  for (const Along* side : {&write, &read}) {
    for (const std::size_t i : side->loops) arrangement.inner.push_back(nest.loops[i]);
  }
  Steps around;
  for (std::size_t i = 0; i < nest.loops.size(); ++i) {
    if (!write.has(i) && !read.has(i)) around.push_back(nest.loops[i]);
  }
  read_neighbours_soon(around, arrangement.run, arrangement.inner);
  for (std::size_t i = around.size(); i-- > 0;) arrangement.inner.push_back(around[i]);
  // Threads share the longest of these loops: the reader's or the writer's last one, if a part of
  // it still is a line or more on that side, and those that neither side takes.
  constexpr std::int64_t kParts = 8;
  const std::size_t last_written = write.loops.size() - 1;
  const std::size_t last_read = last_written + read.loops.size();
  const auto worth = [&](std::size_t i, std::int64_t Step::* side) {
    const Step& loop = arrangement.inner[i];
    return loop.count / kParts * (loop.*side) >= kLine ? loop.count : 0;
  };
  std::int64_t longest = worth(last_read, &Step::read);
  std::size_t shared = last_read;
  const auto consider = [&](std::size_t i, std::int64_t count) {
    if (count <= longest) return;
    shared = i;
    longest = count;
  };
  consider(last_written, worth(last_written, &Step::write));
  for (std::size_t i = last_read + 1; i < arrangement.inner.size(); ++i) {
    consider(i, arrangement.inner[i].count);
  }
  arrangement.cut = static_cast<int>(shared);
  return arrangement;
}

std::optional<Arrangement> reader_and_writer_differ(const UnitNest& nest) {
  if (!writes_runs(nest)) return std::nullopt;
  const std::optional<std::size_t> reader = reader_loop(nest);
  if (!reader) return std::nullopt;
  const std::size_t last = nest.loops.size() - 1;
  const Step& across = nest.loops[*reader];
  if (!is_worth_turning(nest, across)) return std::nullopt;
  Arrangement arrangement = taking(nest, {last, *reader});
  arrangement.stream_from = many_rows_stream_from();
  const bool tall = across.count < 4 * kLine / nest.run;
  arrangement.cut = tall ? 0 : 1;
  arrangement.granule = kLine / nest.run;
  return arrangement;
}

bool interleaves_lines(const UnitNest& nest, const Situation& situation) {
  if (nest.loops.size() < 2) return false;
  const std::int64_t parts = nest.loops.back().count;
  const std::int64_t along = nest.loops[nest.loops.size() - 2].count, row = along * nest.run;
  if (row < kLine) return false;
  // Of rows that stay in the caches a transpose asks for what it writes: of wide elements, and
  // where its vectors are nearly full or the copy leaves the L2 cache.
  constexpr std::int64_t kInL2 = 2 << 20, kNarrow = 80, kManyWide = 9;
  const std::int64_t bytes = parts * nest.run, full = (bytes + kLine - 1) / kLine * kLine;
  const bool full_enough = bytes > kLine && 10 * full <= 13 * bytes;
  if (follows_many_rows() && 2 * nest.units() <= few_rows_stream_from(nest.run) &&
      (nest.run == 8 ? parts >= kManyWide
                     : full_enough || (bytes >= kNarrow && 2 * nest.units() > kInL2))) {
    return false;
  }
  // A few short rows are looked up in less time than a call for them takes, and so is one element
  // that is repeated more often than there are instructions for.
  constexpr std::int64_t kInstructions = 4, kShortCall = 4 * kLine;
  const bool repeated = nest.loops.back().read == 0 && parts > kInstructions;
  const bool short_rows = situation.tables_are_kept && parts < kInstructions &&
                          parts * row <= kShortCall && nest.loops.size() > 2 &&
                          looks_up_in_vectors(nest, situation.target);
  if ((repeated || short_rows) && gathers_short_rows(nest, situation)) return false;
  // The transpose streams small blocks faster; it needs at least kTurned rows.
  constexpr std::int64_t kTurned = 4, kFew = 8, kShort = 3 << 9, kLeast = 2 << 10, kMost = 32 << 10;
  const bool small = row * parts >= kLeast && row * parts < kMost && (row < kShort || parts > kFew);
  if (parts < kTurned || parts * nest.run < 16 || !small) return true;
  // Dealt through the caches of an Emerald Rapids, rows of less than a line took .75 to .95 of the
  // time that the transpose needs around them.
  if (follows_many_rows() && nest.run > 1 && bytes < kLine) return true;
  if (2 * nest.units() <= few_rows_stream_from(nest.run)) return true;
  return nest.run == 1 && looks_up_in_vectors(nest, situation.target) &&
         dealt_by_lookups(parts, nest.run, along, Dealing::kToRun);
}

bool has_instructions_to_deal(const UnitNest& nest) {
  if (few_rows_become_one(nest)) {
    return nest.loops.back().count <= 4 &&
           nest.loops[nest.loops.size() - 2].count * nest.run >= kLine;
  }
  if (!one_row_becomes_few(nest)) return false;
  return is_split_by_instructions(split_of(nest)->count, nest.run) &&
         nest.loops.back().count * nest.run >= kLine;
}

// Counts of rows for which targets have no instructions are dealt by lookups, or in tiles where the
// rows leave around the caches or are wide and few. Blocks of rows that are too short to be
// streamed here are left to the transpose, which streams them faster.
bool deals_in_vectors(const UnitNest& nest, const Situation& situation) {
  constexpr std::int64_t kFewWide = 32 << 10, kShortWide = 256;
  const std::optional<Split> split = split_of(nest);
  if (!split) return true;
  const std::int64_t parts = split->count;
  if (nest.loops.back().count * nest.run < 16) return false;
  const std::int64_t along = nest.loops.back().count;
  const bool streamed = 2 * nest.units() > few_rows_stream_from(nest.run);
  const bool by_instructions = is_split_by_instructions(parts, nest.run);
  if (streamed && by_instructions) {
    const std::optional<Arrangement> dealt = one_row_becomes_few(nest);
    if (dealt && !dealt->outer.empty() && rows_leave_joined(nest, *split, dealt->outer.back())) {
      return true;
    }
  }
  // Without instructions, rows along several loops go through a stage.
  constexpr std::int64_t kMostStaged = 8;
  const bool staged = split->loops.size() > 1 && !streamed && !by_instructions;
  if (staged && (nest.run > 1 || parts > kMostStaged)) return false;
  if (streamed && by_instructions && nest.loops[split->loops.front()].write % kLine == 0 &&
      along * nest.run >= kStreamedLines) {
    return true;
  }
  if (streamed && parts >= 4 && nest.run > 1) {
    const bool later = nest.run == 2 && !by_instructions;
    const std::int64_t small = later ? 3 << 10 : nest.run < 8 ? 2 << 10 : 3 << 9;
    return along >= kStreamed || along * nest.run * parts < small;
  }
  // Rows too long for the caches and too short for a stage: two or three are left to the steps
  // kernel, one by one, and eight to the transpose.
  constexpr std::int64_t kLong = 512;
  if (streamed && (parts < 4 || parts == 8) && along * nest.run >= kLong &&
      along * nest.run < kStreamedRow) {
    return false;
  }
  if (streamed || by_instructions) return true;
  if (nest.run == 8 && parts != 8 && (nest.units() <= kFewWide || along <= kShortWide)) {
    return !lists_few_rows(nest, situation);
  }
  return looks_up_in_vectors(nest, situation.target) && along * nest.run >= kLine &&
         dealt_by_lookups(parts, nest.run, along, Dealing::kFromRun);
}

}  // namespace reshape::optimized
