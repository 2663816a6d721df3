#include "optimized/kernels/table.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "optimized/kernels/limits.h"
#include "optimized/kernels/machine.h"

namespace reshape::optimized {
namespace {

constexpr std::int64_t kLine = 64;

bool is_width(std::int64_t run) { return run == 1 || run == 2 || run == 4 || run == 8; }

// Loops of `nest` taken by a kernel (indices into nest.loops, innermost first); the others stay
// outside, in their order.
Arrangement taking(const UnitNest& nest, std::initializer_list<std::size_t> taken) {
  Arrangement arrangement;
  arrangement.run = nest.run;
  for (const std::size_t i : taken) arrangement.inner.push_back(nest.loops[i]);
  if (taken.size() == nest.loops.size()) return arrangement;
  for (std::size_t i = 0; i < nest.loops.size(); ++i) {
    if (std::ranges::find(taken, i) == taken.end()) arrangement.outer.push_back(nest.loops[i]);
  }
  return arrangement;
}

// The loop along which the reader takes one element after the other, not counting the last.
std::optional<std::size_t> reader_loop(const UnitNest& nest) {
  for (std::size_t i = 0; i + 1 < nest.loops.size(); ++i) {
    if (nest.loops[i].read == nest.run) return i;
  }
  return std::nullopt;
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

template <std::int64_t kWidth>
std::optional<Arrangement> one_element_repeated(const UnitNest& nest) {
  if (!writes_runs(nest) || nest.run != kWidth || nest.loops.back().read != 0) return std::nullopt;
  const std::size_t last = nest.loops.size() - 1;
  Arrangement arrangement = last == 0 ? taking(nest, {0}) : taking(nest, {last, last - 1});
  arrangement.cut = last == 0 ? 0 : 1;
  arrangement.granule = last == 0 ? kLine / kWidth : 1;
  return arrangement;
}

template <std::int64_t kWidth>
std::optional<Arrangement> short_steps(const UnitNest& nest) {
  if (!writes_runs(nest) || nest.run != kWidth || nest.loops.back().count < 16) return std::nullopt;
  const std::int64_t step = nest.loops.back().read;
  const bool known = step == -kWidth ||
                     (step >= 2 * kWidth && step <= kLongestStep * kWidth && step % kWidth == 0);
  if (!known) return std::nullopt;
  const std::size_t last = nest.loops.size() - 1;
  Arrangement arrangement = last == 0 ? taking(nest, {0}) : taking(nest, {last, last - 1});
  arrangement.cut = last == 0 ? 0 : 1;
  arrangement.granule = last == 0 ? kLine / kWidth : 1;
  return arrangement;
}

// Loops that only change the order of a short block, and the loop over such blocks, which follow each
// other on both sides.
std::optional<Arrangement> short_blocks(const UnitNest& nest) {
  constexpr std::int64_t kLongestRun = 16, kWorthPlanning = 4 << 10;
  if (nest.half_bytes || nest.run > kLongestRun) return std::nullopt;
  std::int64_t bytes = nest.run;
  Steps inside;  // as the reader meets them
  for (std::size_t i = nest.loops.size(); i-- > 1;) {
    const Step& loop = nest.loops[i];
    if (loop.write != bytes || loop.read == 0 || loop.count > kMostShuffled / bytes) break;
    bytes *= loop.count;
    inside.push_back({loop.count, std::abs(loop.read), loop.write});
    const Step& blocks = nest.loops[i - 1];
    if (blocks.write != bytes || blocks.read != bytes) continue;
    std::ranges::sort(inside, {}, &Step::read);
    std::int64_t dense = nest.run;
    for (const Step& step : inside) dense = step.read == dense ? dense * step.count : 0;
    if (dense != bytes || nest.units() < kWorthPlanning) break;
    Arrangement arrangement;
    arrangement.run = nest.run;
    arrangement.along_write = inside.size();
    for (std::size_t k = nest.loops.size(); k-- > 0;) arrangement.inner.push_back(nest.loops[k]);
    arrangement.cut = static_cast<int>(arrangement.inner.size()) - 1;
    return arrangement;
  }
  return std::nullopt;
}

bool looks_up_in_vectors(const UnitNest& nest, const Target& target) {
  return target.name == "avx512_vbmi" || (target.name == "avx512" && nest.run % 2 == 0);
}

// out[j * parts + i] = in[i * far + j]
template <std::int64_t kWidth>
std::optional<Arrangement> few_rows_become_one(const UnitNest& nest) {
  if (!writes_runs(nest) || nest.run != kWidth || nest.loops.size() < 2) return std::nullopt;
  const std::size_t last = nest.loops.size() - 1;
  const Step& part = nest.loops[last];
  const Step& along = nest.loops[last - 1];
  if (along.read != kWidth || along.write != part.count * kWidth || along.count < 8) {
    return std::nullopt;
  }
  // Rows of whole lines are the transpose's: it writes them as they are. So are long ones.
  const std::int64_t bytes = part.count * kWidth;
  if (bytes % kLine == 0 || bytes > kMostDealt) return std::nullopt;
  Arrangement arrangement =
      last == 1 ? taking(nest, {last, last - 1}) : taking(nest, {last, last - 1, last - 2});
  arrangement.cut = last == 1 ? 1 : 2;
  arrangement.granule = last == 1 ? kLine / kWidth : 1;
  return arrangement;
}

// out[i * far + j] = in[j * parts + i]
template <std::int64_t kWidth>
std::optional<Arrangement> one_row_becomes_few(const UnitNest& nest) {
  if (!writes_runs(nest) || nest.run != kWidth) return std::nullopt;
  const std::optional<std::size_t> reader = reader_loop(nest);
  if (!reader) return std::nullopt;
  const std::size_t last = nest.loops.size() - 1;
  const Step& part = nest.loops[*reader];
  const Step& along = nest.loops[last];
  if (part.count < 2 || part.count >= kMostSplit || along.read != part.count * kWidth ||
      along.count < 8) {
    return std::nullopt;
  }
  // Many rows are as many lines that are written side by side: see the transpose.
  const std::int64_t stream_from = part.count > 4 ? last_cache_bytes() / 8 : 0;
  if (last > 1) {
    const std::size_t outer = *reader == last - 1 ? last - 2 : last - 1;
    Arrangement arrangement = taking(nest, {last, *reader, outer});
    arrangement.stream_from = stream_from;
    arrangement.cut = 2;
    return arrangement;
  }
  Arrangement arrangement = taking(nest, {last, *reader});
  arrangement.stream_from = stream_from;
  arrangement.cut = 0;
  arrangement.granule = kLine / kWidth;
  return arrangement;
}

// Some of a nest's loops (indices, innermost first) that one side takes one after the other without a gap.
struct Along {
  InlineVector<std::size_t, 16> loops;
  std::int64_t bytes = 0;

  bool has(std::size_t loop) const { return std::ranges::find(loops, loop) != loops.end(); }
  void add(const UnitNest& nest, std::size_t loop) {
    bytes = (loops.empty() ? nest.run : bytes) * nest.loops[loop].count;
    loops.push_back(loop);
  }
  // The loop that goes on where these end, where there is one, `enough` is not reached and `other` has not
  // got it.
  std::optional<std::size_t> next(const UnitNest& nest, std::int64_t Step::* side,
                                  std::int64_t enough, const Along& other) const {
    for (std::size_t i = 0; bytes < enough && i < nest.loops.size(); ++i) {
      if (nest.loops[i].*side == bytes && !has(i) && !other.has(i)) return i;
    }
    return std::nullopt;
  }
};

// The loops of a transpose whose sides go along several loops each.
template <std::int64_t kWidth>
std::optional<Arrangement> several_loops_differ(const UnitNest& nest) {
  if (!writes_runs(nest) || nest.run != kWidth || nest.loops.size() < 3) return std::nullopt;
  const std::optional<std::size_t> reader = reader_loop(nest);
  if (!reader) return std::nullopt;
  const std::size_t last = nest.loops.size() - 1;
  Along write, read;
  write.add(nest, last);
  read.add(nest, *reader);
  // Lines that are read in part are soon read again, and cost less than lines that are written in part.
  constexpr std::int64_t kEnoughWritten = 16 * kLine, kEnoughRead = kLine;
  while (true) {
    const auto written = write.next(nest, &Step::write, kEnoughWritten, read);
    const auto taken = read.next(nest, &Step::read, kEnoughRead, write);
    if (!written && !taken) break;
    // One that goes on on both sides lengthens the reads, if what is written is as long as a strip.
    if (taken && (taken != written || write.bytes >= 16)) {
      read.add(nest, *taken);
    } else {
      write.add(nest, *written);
    }
  }
  // The transpose knows one loop of the writer's, and two of the reader's; and no short ones.
  const bool several = write.loops.size() > 1 || read.loops.size() > 2 ||
                       nest.loops[last].count < 4 ||
                       nest.loops[last].count * nest.loops[*reader].count < 64;
  const std::int64_t together = write.bytes / kWidth * (read.bytes / kWidth);
  constexpr std::int64_t kWorthTurning = 64, kWorthListing = 256, kFew = kWidth < 4 ? 4 : 2;
  const bool long_enough = std::min(write.bytes, read.bytes) >= kFew * kWidth;
  if (!several || !long_enough || together < kWorthTurning ||
      nest.units() < kWorthListing * kWidth) {
    return std::nullopt;
  }

  Arrangement arrangement;
  arrangement.run = nest.run;
  arrangement.along_write = write.loops.size();
  arrangement.along_read = read.loops.size();
  for (const Along* side : {&write, &read}) {
    for (const std::size_t i : side->loops) arrangement.inner.push_back(nest.loops[i]);
  }
  for (std::size_t i = nest.loops.size(); i-- > 0;) {
    if (!write.has(i) && !read.has(i)) arrangement.inner.push_back(nest.loops[i]);
  }
  // The reader's last loop may be shared, or one that neither side goes along.
  for (std::size_t i = write.loops.size() + read.loops.size() - 1; i < arrangement.inner.size();
       ++i) {
    if (arrangement.cut >= 0 &&
        arrangement.inner[i].count <
            arrangement.inner[static_cast<std::size_t>(arrangement.cut)].count) {
      continue;
    }
    arrangement.cut = static_cast<int>(i);
  }
  return arrangement;
}

// Other counts than the ones that every target has vectors for are dealt by lookups, or not at all.
bool deals_in_vectors(const UnitNest& nest, const Target& target) {
  const std::optional<std::size_t> reader = reader_loop(nest);
  if (!reader) return true;
  const std::int64_t parts = nest.loops[*reader].count;
  if ((parts >= 2 && parts <= 4) || (parts == 8 && nest.run < 8)) return true;
  return looks_up_in_vectors(nest, target) && dealt_by_lookups(parts, nest.run) &&
         nest.loops.back().count * nest.run >= kLine &&
         nest.units() >= lookups_pay_from(parts, nest.run);
}

// The loops of a transpose: the writer's unit-step loop, the reader's, and one more where the
// reader runs on into it.
template <std::int64_t kWidth>
std::optional<Arrangement> reader_and_writer_differ(const UnitNest& nest) {
  if (!writes_runs(nest) || nest.run != kWidth) return std::nullopt;
  const std::optional<std::size_t> reader = reader_loop(nest);
  if (!reader) return std::nullopt;
  const std::size_t last = nest.loops.size() - 1;
  const Step& across = nest.loops[*reader];
  if (nest.loops[last].count < 4 || nest.loops[last].count * across.count < 64) {
    return std::nullopt;
  }
  // Lines that are written once, a row apart, only push each other out of the caches; so they leave
  // around them long before there are too many for the last one.
  const std::int64_t stream_from = last_cache_bytes() / 8;
  for (std::size_t i = 0; i < last; ++i) {
    // Short output rows gain nothing by it: they are written straight from long input rows.
    const bool worth =
        nest.loops[last].count * kWidth >= kLine || across.count * kWidth < 4 * kLine;
    if (worth && i != *reader && nest.loops[i].read == across.count * across.read &&
        across.count * kWidth % kLine != 0) {
      Arrangement arrangement = taking(nest, {last, *reader, i});
      arrangement.stream_from = stream_from;
      arrangement.cut = 2;
      return arrangement;
    }
  }
  if (across.count < 4) return std::nullopt;
  Arrangement arrangement = taking(nest, {last, *reader});
  arrangement.stream_from = stream_from;
  const bool tall = across.count < 4 * kLine / kWidth;
  arrangement.cut = tall ? 0 : 1;
  arrangement.granule = kLine / kWidth;
  return arrangement;
}

// Runs that the reader has side by side are read together: while what lies between them is copied, the
// lines that they share would leave the caches.
UnitNest neighbours_soon(const UnitNest& given) {
  constexpr std::int64_t kKept = 256 << 10;
  UnitNest nest = given;
  std::size_t near = 0;
  for (std::size_t i = 0; i < nest.loops.size(); ++i) {
    if (std::abs(nest.loops[i].read) < std::abs(nest.loops[near].read)) near = i;
  }
  if (nest.loops[near].read == 0 || std::abs(nest.loops[near].read) > 4 * kLine) return nest;
  std::int64_t inside = nest.run;
  for (std::size_t i = near + 1; i < nest.loops.size(); ++i) inside *= nest.loops[i].count;
  for (; near + 3 < nest.loops.size() && inside > kKept; ++near) {
    inside /= nest.loops[near + 1].count;
    std::swap(nest.loops[near], nest.loops[near + 1]);
  }
  return nest;
}

std::optional<Arrangement> rows(const UnitNest& given) {
  if (given.half_bytes || given.loops.empty() || given.run < 8) return std::nullopt;
  const UnitNest nest = neighbours_soon(given);
  const std::size_t last = nest.loops.size() - 1;
  // Few short rows are entered more often than they are long.
  if (nest.run <= 16 && last > 0 && nest.loops[last].count < 16) return std::nullopt;
  const std::int64_t moved = 2 * nest.units(), stream_from = last_cache_bytes() / 10 * 7;
  const bool whole_lines =
      last >= 1 &&
      ((nest.run | nest.loops[last].write | nest.loops[last - 1].write) & (kLine - 1)) == 0;
  // Short rows that the writer has one after the other leave the caches together.
  if (last >= 1 && moved > stream_from && nest.run < 4 * kLine && !whole_lines &&
      nest.loops[last].write == nest.run &&
      nest.loops[last - 1].write == nest.run * nest.loops[last].count) {
    Arrangement arrangement = taking(nest, {last, last - 1});
    arrangement.cut = 1;
    arrangement.stream_from = stream_from;
    return arrangement;
  }
  // Rows that the reader has in another order. What stays in the caches is walked in blocks of the
  // writer's rows, so that both sides stay within a few pages; what does not is read in order and
  // streamed to wherever it belongs.
  if (last >= 1 && nest.loops[last].read > nest.loops[last - 1].read &&
      nest.loops[last - 1].read > 0) {
    if (moved > stream_from && (whole_lines || nest.run >= 4 * kLine)) {
      Arrangement arrangement = taking(nest, {last - 1, last});
      arrangement.cut = 1;
      arrangement.stream_from = stream_from;
      return arrangement;
    }
    Arrangement arrangement = taking(nest, {last, last - 1});
    arrangement.cut = 0;
    Step& near = arrangement.inner[0];
    constexpr std::int64_t kBlock = 32;
    if (near.count % kBlock == 0 && near.count > kBlock) {
      const Step blocks{near.count / kBlock, near.read * kBlock, near.write * kBlock};
      near.count = kBlock;
      arrangement.inner.push_back(blocks);
      arrangement.cut = 2;
    }
    return arrangement;
  }
  Arrangement arrangement = last == 0 ? taking(nest, {0}) : taking(nest, {last, last - 1});
  arrangement.cut = last == 0 ? 0 : 1;
  return arrangement;
}

std::optional<Arrangement> in_half_bytes(const UnitNest& nest) {
  if (!nest.half_bytes) return std::nullopt;
  Arrangement arrangement;
  arrangement.run = nest.run;
  for (std::size_t i = nest.loops.size(); i-- > 0;) arrangement.inner.push_back(nest.loops[i]);
  arrangement.stream_from = last_cache_bytes() / 8;
  return arrangement;
}

// Loops that the reader has inside another one are walked inside it too, over so much of it at a time as
// stays in the first cache: else every line of the input would be read for each of their steps anew. The
// loop is cut evenly, where it can be.
UnitNest in_blocks(const UnitNest& given) {
  constexpr std::int64_t kKept = 16 << 10, kWorthCutting = 128 << 10;
  UnitNest nest = given;
  if (nest.units() < kWorthCutting || nest.loops.size() < 2) return nest;
  std::int64_t inside = nest.run;
  std::size_t at = nest.loops.size() - 1;
  while (at > 0 && inside * nest.loops[at].count <= kKept) inside *= nest.loops[at--].count;
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
  std::int64_t block = std::clamp<std::int64_t>(kKept / beside, 1, cut.count);
  while (cut.count % block != 0) --block;
  Steps loops = far;
  if (block < cut.count) loops.push_back({cut.count / block, cut.read * block, cut.write * block});
  for (const Step& loop : near) loops.push_back(loop);
  if (block > 1) loops.push_back({block, cut.read, cut.write});
  for (std::size_t i = at + 1; i < nest.loops.size(); ++i) loops.push_back(nest.loops[i]);
  nest.loops = loops;
  return nest;
}

std::optional<Arrangement> whole_bytes(const UnitNest& given) {
  if (given.half_bytes) return std::nullopt;
  const UnitNest nest = in_blocks(given);
  Arrangement arrangement;
  arrangement.run = nest.run;
  for (std::size_t i = nest.loops.size(); i-- > 0;) arrangement.inner.push_back(nest.loops[i]);
  arrangement.cut = static_cast<int>(nest.loops.size()) - 1;
  return arrangement;
}

const Kernel* table(std::size_t* size) {
  // clang-format off
  static const Kernel kTable[] = {
      // name           bytes  when                          run
      {"half_bytes",    0,     in_half_bytes,                half_byte_runs()},
      {"contiguous",    0,     one_run,                      contiguous_runs()},
      {"fill",          1,     one_element_repeated<1>,      fill_runs(1)},
      {"fill",          2,     one_element_repeated<2>,      fill_runs(2)},
      {"fill",          4,     one_element_repeated<4>,      fill_runs(4)},
      {"fill",          8,     one_element_repeated<8>,      fill_runs(8)},
      {"shuffle",       0,     short_blocks,                 shuffle_runs(), looks_up_in_vectors},
      {"interleave",    1,     few_rows_become_one<1>,       interleave_runs(1)},
      {"interleave",    2,     few_rows_become_one<2>,       interleave_runs(2)},
      {"interleave",    4,     few_rows_become_one<4>,       interleave_runs(4)},
      {"interleave",    8,     few_rows_become_one<8>,       interleave_runs(8)},
      {"deinterleave",  1,     one_row_becomes_few<1>,       deinterleave_runs(1), deals_in_vectors},
      {"deinterleave",  2,     one_row_becomes_few<2>,       deinterleave_runs(2), deals_in_vectors},
      {"deinterleave",  4,     one_row_becomes_few<4>,       deinterleave_runs(4), deals_in_vectors},
      {"deinterleave",  8,     one_row_becomes_few<8>,       deinterleave_runs(8), deals_in_vectors},
      {"permute",       1,     several_loops_differ<1>,      permute_runs(1)},
      {"permute",       2,     several_loops_differ<2>,      permute_runs(2)},
      {"permute",       4,     several_loops_differ<4>,      permute_runs(4)},
      {"permute",       8,     several_loops_differ<8>,      permute_runs(8)},
      {"transpose",     1,     reader_and_writer_differ<1>,  transpose_runs(1)},
      {"transpose",     2,     reader_and_writer_differ<2>,  transpose_runs(2)},
      {"transpose",     4,     reader_and_writer_differ<4>,  transpose_runs(4)},
      {"transpose",     8,     reader_and_writer_differ<8>,  transpose_runs(8)},
      {"steps",         1,     short_steps<1>,              step_runs(1)},
      {"steps",         2,     short_steps<2>,              step_runs(2)},
      {"steps",         4,     short_steps<4>,              step_runs(4)},
      {"steps",         8,     short_steps<8>,              step_runs(8)},
      {"rows",          0,     rows,                         row_runs()},
      {"strided",       0,     whole_bytes,                  strided_runs()},
  };
  // clang-format on
  *size = std::size(kTable);
  return kTable;
}

}  // namespace

std::span<const Kernel> kernels() {
  std::size_t size = 0;
  const Kernel* first = table(&size);
  return {first, size};
}

namespace {

// The rows that can apply to runs of so many bytes, in their order: rows of another width cost no call.
std::span<const Kernel* const> rows_for(std::int64_t run) {
  static constexpr std::int64_t kWidths[] = {1, 2, 4, 8, 0};
  constexpr std::size_t kOther = std::size(kWidths) - 1;
  static const auto by_width = [] {
    std::array<std::vector<const Kernel*>, std::size(kWidths)> lists;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      for (const Kernel& kernel : kernels()) {
        if (kernel.bytes == 0 || kernel.bytes == kWidths[i]) lists[i].push_back(&kernel);
      }
    }
    return lists;
  }();
  const auto* width = std::ranges::find(kWidths, run);
  return by_width[std::min(static_cast<std::size_t>(width - std::begin(kWidths)), kOther)];
}

}  // namespace

std::string_view what_for(const Kernel& kernel) {
  struct Purpose {
    std::string_view name, what;
  };
  static constexpr Purpose kPurposes[] = {
      {"half_bytes", "4-bit elements that do not move in whole bytes"},
      {"contiguous", "one run on both sides"},
      {"fill", "one element repeated"},
      {"shuffle", "short blocks whose elements only change places"},
      {"interleave", "a few input rows that become one run"},
      {"deinterleave", "one run that becomes a few output rows"},
      {"permute", "sides that each go along loops of their own, several or short ones"},
      {"transpose", "a reader and a writer that go along different loops"},
      {"steps", "a run that is read in short steps, or backwards"},
      {"rows", "runs of 8 bytes and more"},
      {"strided", "what no other kernel takes"},
  };
  const auto* found = std::ranges::find(kPurposes, kernel.name, &Purpose::name);
  return found == std::end(kPurposes) ? std::string_view() : found->what;
}

Choice choose(const UnitNest& nest, const Target& target) {
  for (const Kernel* kernel : rows_for(nest.run)) {
    if (kernel->pays != nullptr && !kernel->pays(nest, target)) continue;
    if (std::optional<Arrangement> arrangement = kernel->when(nest)) {
      return {kernel, std::move(*arrangement)};
    }
  }
  return {};
}

}  // namespace reshape::optimized
