#include "optimized/half_bytes_as_bytes.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "optimized/kernels/half_bytes.h"

namespace reshape::optimized {
namespace {

// Most elements of a block: unpacked, it stays in the L1 cache before and after the copy.
constexpr std::int64_t kElements = 16 << 10;
// Run length that each side gets first; runs are only made longer after both sides have it.
constexpr std::int64_t kEnough = 128;
// Most bytes of a block as it is unpacked, those between its elements included.
constexpr std::int64_t kRoom = 32 << 10;
// Runs go on across gaps up to this factor: the elements in between are unpacked as well.
constexpr std::int64_t kSparse = 4;
// Unpacking writes up to this many bytes before and behind the elements.
constexpr std::int64_t kSlack = 64;

constexpr std::int64_t ceil_of(std::int64_t count, std::int64_t part) {
  return (count + part - 1) / part;
}

std::int64_t count_of(const Steps& loops) {
  std::int64_t count = 1;
  for (const Step& loop : loops) count *= loop.count;
  return count;
}

}  // namespace

// The loops of a nest and how many steps of each are inside a block.
class HalfBytesAsBytes::Block {
 public:
  // `sparse`: see kSparse.
  Block(const UnitNest& nest, std::int64_t sparse)
      : nest_(nest), sparse_(sparse), elements_(nest.run) {
    for (std::size_t i = 0; i < nest.loops.size(); ++i) steps_.push_back(1);
    grow(kEnough);
    grow(kElements);
    // Loops that lengthen no run are still cheaper inside a block than around it.
    for (std::size_t i = nest.loops.size(); i-- > 0;) {
      if (steps_[i] == 1 && nest.loops[i].count <= kElements / elements_) take(i, kElements);
    }
  }

  std::int64_t elements() const { return elements_; }
  std::int64_t steps(std::size_t loop) const { return steps_[loop]; }
  const Runs& in() const { return in_; }
  const Runs& out() const { return out_; }

  // The loops over the bytes of the block, which is in the room for it on the sides that are
  // unpacked.
  LoopNest as_bytes(bool read_unpacked, bool write_unpacked) const {
    LoopNest nest;
    nest.bits = 8;
    if (nest_.run > 1) nest.loops.push_back({nest_.run, 1, 1});
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i] == 1) continue;
      nest.loops.push_back({steps_[i], read_unpacked ? read_[i] : nest_.loops[i].read,
                            write_unpacked ? write_[i] : nest_.loops[i].write});
      if (read_unpacked && read_[i] < 0) nest.read_offset -= read_[i] * (steps_[i] - 1);
    }
    return nest;
  }

 private:
  // Lengthens the runs, of the side with the shorter ones first, until both have `enough` elements.
  void grow(std::int64_t enough) {
    lay_out();
    while (true) {
      const std::size_t read = next(&Step::read, in_.length, sparse_ * in_.length, enough);
      const std::size_t write = next(&Step::write, out_.length, out_.length, enough);
      const std::int64_t more_read = enough / in_.length, more_written = enough / out_.length;
      const bool read_first = in_.length <= out_.length;
      const bool taken = read_first ? take(read, more_read) || take(write, more_written)
                                    : take(write, more_written) || take(read, more_read);
      if (!taken) return;
    }
  }

  // The loop that would lengthen a side's runs: the one with the smallest step on that side of
  // which some steps are still outside the block.
  std::size_t next(std::int64_t Step::* side, std::int64_t length, std::int64_t most_apart,
                   std::int64_t enough) const {
    std::size_t found = kNone;
    if (length >= enough) return found;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const std::int64_t step = std::abs(nest_.loops[i].*side);
      if (steps_[i] == nest_.loops[i].count || step == 0) continue;
      // A loop that is cut can be lengthened only where it ends the run.
      const bool fits = steps_[i] == 1 ? step <= most_apart : step * steps_[i] <= most_apart;
      if (!fits || (side == &Step::write && step * steps_[i] != length)) continue;
      if (found == kNone || step < std::abs(nest_.loops[found].*side)) found = i;
    }
    return found;
  }

  // Takes up to `most` times as many steps of a loop; false where there is no room for more.
  bool take(std::size_t loop, std::int64_t most) {
    if (loop == kNone) return false;
    const std::int64_t count = nest_.loops[loop].count, before = steps_[loop];
    const std::int64_t outside = elements_ / before;
    most = std::min({count, before * most, kElements / outside});
    // Blocks have about equal sizes, and begin with a whole byte where possible.
    std::int64_t steps = ceil_of(count, ceil_of(count, std::max<std::int64_t>(1, most)));
    if (steps < count && steps % 2 != 0 && steps < most) ++steps;
    if (steps <= before) return false;
    steps_[loop] = steps;
    lay_out();
    if (in_.bytes <= kRoom) {
      elements_ = outside * steps;
      return true;
    }
    steps_[loop] = before;
    lay_out();
    return false;
  }

  // Computes where the elements of both sides lie in the unpacked block. Runs that would need more
  // room with the gaps between them than there is are unpacked one by one.
  void lay_out() {
    lay_out(&Step::read, sparse_, 1, in_, read_);
    if (in_.bytes > kRoom) lay_out(&Step::read, 1, 1, in_, read_);
    lay_out(&Step::write, 1, 0, out_, write_);
  }

  // A loop lengthens the run if its step is at most `sparse` times the run; `gap` bytes lie between
  // two runs.
  void lay_out(std::int64_t Step::* side, std::int64_t sparse, std::int64_t gap, Runs& runs,
               InlineVector<std::int64_t, 16>& bytes) const {
    const auto step_of = [&](std::size_t i) { return std::abs(nest_.loops[i].*side); };
    InlineVector<std::size_t, 16> inside;
    bytes.resize(steps_.size());
    runs = {};
    runs.length = nest_.run;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      bytes[i] = 0;
      if (steps_[i] == 1) continue;
      if (nest_.loops[i].*side < 0) runs.first += (nest_.loops[i].*side) * (steps_[i] - 1);
      if (step_of(i) != 0) inside.push_back(i);
    }
    sort_few(inside, [&](std::size_t a, std::size_t b) { return step_of(a) < step_of(b); });
    std::size_t at = 0;
    for (; at < inside.size() && step_of(inside[at]) <= sparse * runs.length; ++at) {
      const std::int64_t step = step_of(inside[at]);
      if (sparse == 1 && step != runs.length) break;
      bytes[inside[at]] = step;
      runs.length += (steps_[inside[at]] - 1) * step;
    }
    runs.bytes = runs.length + gap;
    for (; at < inside.size(); ++at) {
      const std::size_t i = inside[at];
      bytes[i] = runs.bytes;
      runs.loops.push_back({steps_[i], step_of(i), runs.bytes});
      runs.bytes *= steps_[i];
    }
    for (const std::size_t i : inside) {
      if (nest_.loops[i].*side < 0) bytes[i] = -bytes[i];
    }
  }

  static constexpr std::size_t kNone = ~std::size_t{0};
  const UnitNest& nest_;
  std::int64_t sparse_;
  InlineVector<std::int64_t, 16> steps_;
  std::int64_t elements_;
  Runs in_, out_;
  InlineVector<std::int64_t, 16> read_, write_;  // the bytes that a step of each loop moves by
};

namespace {

// Runs that the half_bytes kernel copies faster, as measured: long ones, and shorter ones that are
// not consecutive in the output.
bool is_of_long_runs(const UnitNest& nest) {
  constexpr std::int64_t kLongRun = 57, kLongApart = 16;
  const bool apart = !nest.loops.empty() && nest.loops.back().write != nest.run;
  return nest.run >= (apart ? kLongApart : kLongRun);
}

// The rows of the output and of the input where elements are contiguous; null where there are none.
const Step* row_of(const UnitNest& nest, std::int64_t Step::* side) {
  const auto row = std::ranges::find(nest.loops, 1, side);
  return row == nest.loops.end() ? nullptr : &*row;
}

// Whether the half_bytes kernel transposes the nest, two rows of the input at a time: both sides
// fill its blocks, and the rows of the output do not alternate between the halves of a byte.
bool is_turned(const UnitNest& nest) {
  constexpr std::int64_t kLeastWritten = 16, kLeastRead = 128;
  if (nest.run != 1 || nest.loops.empty()) return false;
  const Step& writer = nest.loops.back();
  if (writer.write != 1 || writer.count < kLeastWritten) return false;
  return std::ranges::any_of(nest.loops, [&](const Step& loop) {
    const bool odd_rows =
        loop.write == writer.count && writer.count % 2 != 0 && writer.count <= kLeastRead;
    return loop.read == 1 && loop.write != 1 && loop.count >= kLeastRead && !odd_rows;
  });
}

// Of what the half_bytes kernel transposes, what is faster in pairs, as measured: short rows of the
// output, a few long ones, of which each lies in pages of its own, and sides that its blocks cover
// twice.
bool is_turned_faster_in_pairs(const UnitNest& nest) {
  constexpr std::int64_t kShort = 64, kLong = 16 << 10, kFew = 512, kBlock = 128;
  const Step &writer = nest.loops.back(), &reader = *row_of(nest, &Step::read);
  if (writer.count <= kShort || (writer.count >= kLong && reader.count <= kFew)) return true;
  const auto covered = [](std::int64_t count) { return ceil_of(count, kBlock) * kBlock; };
  const std::int64_t elements = writer.count * reader.count;
  return writer.count >= kBlock && 5 * covered(writer.count) * covered(reader.count) > 8 * elements;
}

// The nest with its `index`-th loop in pairs, of which a step is `step`; nothing where its count or a
// step of another loop on `whole`, the side of whole bytes, is odd.
std::optional<UnitNest> nest_in_pairs(const UnitNest& nest, std::size_t index, Step step,
                                      std::int64_t Step::* whole) {
  UnitNest pairs = nest;
  if (nest.run != 1 || step.count % 2 != 0) return std::nullopt;
  for (std::size_t i = 0; i < nest.loops.size(); ++i) {
    if (i == index) continue;
    if ((nest.loops[i].*whole) % 2 != 0) return std::nullopt;
    pairs.loops[i].*whole /= 2;
  }
  step.count /= 2;
  pairs.loops[index] = step;
  if (step.count == 1) pairs.loops.erase(pairs.loops.begin() + static_cast<std::ptrdiff_t>(index));
  return pairs;
}

}  // namespace

std::optional<HalfBytesAsBytes::Pairs> HalfBytesAsBytes::joined(const UnitNest& nest) {
  const Step& writer = nest.loops.back();
  auto pairs =
      nest_in_pairs(nest, nest.loops.size() - 1, {writer.count, 2 * writer.read, 1}, &Step::write);
  if (!pairs) return std::nullopt;
  return Pairs{Ways::kJoined, *std::move(pairs), writer.read};
}

std::optional<HalfBytesAsBytes::Pairs> HalfBytesAsBytes::parted(const UnitNest& nest) {
  const Step* reader = row_of(nest, &Step::read);
  auto pairs = nest_in_pairs(nest, static_cast<std::size_t>(reader - nest.loops.begin()),
                             {reader->count, 1, 2 * reader->write}, &Step::read);
  if (!pairs) return std::nullopt;
  return Pairs{Ways::kParted, *std::move(pairs), reader->write};
}

std::optional<HalfBytesAsBytes> HalfBytesAsBytes::in_blocks(const Pairs& pairs,
                                                            const Target& target) {
  constexpr std::int64_t kShortRuns = 16, kShortPairs = 64;
  const UnitNest& nest = pairs.nest;
  const bool read_unpacked = pairs.ways != Ways::kParted;
  const bool write_unpacked = pairs.ways != Ways::kJoined;
  // Behind a row that is joined comes the other one of its pair, which is not unpacked once more.
  const Step* reader = row_of(nest, &Step::read);
  const bool rows_are_joined = pairs.ways == Ways::kJoined && reader->count >= kShortPairs;
  const Block block(nest, rows_are_joined ? 1 : kSparse);
  const std::int64_t longest_runs = std::max(read_unpacked ? count_of(block.in().loops) : 1,
                                             write_unpacked ? count_of(block.out().loops) : 1);
  const bool in_pairs = pairs.ways != Ways::kUnpacked;
  if (block.elements() < (in_pairs ? kShortPairs : kShortRuns) * longest_runs) return std::nullopt;

  HalfBytesAsBytes copy;
  copy.ways_ = pairs.ways;
  copy.apart_ = pairs.apart;
  copy.in_ = block.in();
  copy.out_ = block.out();
  for (Step& loop : copy.out_.loops) std::swap(loop.read, loop.write);
  copy.bytes_ = in_units(block.as_bytes(read_unpacked, write_unpacked));
  for (std::size_t i = 0; i < nest.loops.size(); ++i) {
    Step loop = nest.loops[i];
    const std::int64_t steps = block.steps(i);
    if (steps == loop.count) continue;
    if (!read_unpacked) loop.read *= 2;
    if (!write_unpacked) loop.write *= 2;
    copy.around_.push_back({loop, ceil_of(loop.count, steps), steps});
  }
  copy.slot_ = target.slot;
  copy.choice_ = choose(copy.bytes_, {target, !copy.around_.empty()});
  return copy;
}

std::optional<HalfBytesAsBytes> HalfBytesAsBytes::of(const UnitNest& nest, const Target& target) {
  constexpr std::int64_t kFewElements = 512;
  if (!nest.half_bytes || nest.units() < kFewElements || is_of_long_runs(nest)) return std::nullopt;
  const bool turned = is_turned(nest);
  if (!turned || is_turned_faster_in_pairs(nest)) {
    if (auto copy = in_pairs(nest, target)) return copy;
  }
  return turned ? std::nullopt : in_blocks({Ways::kUnpacked, nest, 0}, target);
}

std::optional<HalfBytesAsBytes> HalfBytesAsBytes::of_gathered(const UnitNest& nest,
                                                              const Target& target) {
  constexpr std::int64_t kFewElements = 2048;
  return nest.units() < kFewElements ? std::nullopt : in_pairs(nest, target);
}

std::optional<HalfBytesAsBytes> HalfBytesAsBytes::in_pairs(const UnitNest& nest,
                                                           const Target& target) {
  // Very short rows of the input take longer to join than to unpack, and where those of either side
  // are short, so does the copy between.
  constexpr std::int64_t kLeastJoined = 7, kLeastOfEither = 64;
  const Step *writer = row_of(nest, &Step::write), *reader = row_of(nest, &Step::read);
  if (writer == nullptr || writer != &nest.loops.back() || reader == nullptr) return std::nullopt;
  const bool reader_is_longer = reader->count >= writer->count;
  // The longer rows are joined, or parted.
  if (const auto pairs = parted(nest); pairs && !reader_is_longer) {
    if (auto copy = in_blocks(*pairs, target)) return copy;
  }
  const bool short_rows = std::max(reader->count, writer->count) < kLeastOfEither ||
                          (!reader_is_longer && reader->count < kLeastJoined);
  const auto pairs = joined(nest);
  if (!pairs || (short_rows && writer->count != 2)) return std::nullopt;
  return in_blocks(*pairs, target);
}

std::string_view HalfBytesAsBytes::words() const {
  switch (ways_) {
    case Ways::kUnpacked: return "half bytes unpacked to bytes and packed again, between them ";
    case Ways::kJoined: return "half bytes of every two rows joined to bytes, and then ";
    case Ways::kParted: break;
  }
  return "bytes parted to half bytes of every two rows, and before ";
}

void HalfBytesAsBytes::run(const std::byte* read, std::int64_t read_at, std::byte* write,
                           std::int64_t write_at) const {
  Share bytes(choice_.arrangement, choice_.kernel->run[slot_], slot_);
  bytes.work.whole = 2 * bytes_.units();
  TablesRoom room;
  if (!around_.empty() && choice_.kernel->tables != nullptr) {
    bytes.work.tables = choice_.kernel->tables[slot_](bytes.work, room);
  }
  run_blocks(bytes, 0, read, read_at, write, write_at);
}

void HalfBytesAsBytes::run_blocks(const Share& bytes, std::size_t depth, const std::byte* read,
                                  std::int64_t read_at, std::byte* write,
                                  std::int64_t write_at) const {
  if (depth == around_.size()) return run_block(bytes, read, read_at, write, write_at);
  const Around& loop = around_[depth];
  for (std::int64_t i = 0; i < loop.blocks; ++i) {
    const std::int64_t begin = std::min(i * loop.size, loop.step.count - loop.size);
    run_blocks(bytes, depth + 1, read, read_at + begin * loop.step.read, write,
               write_at + begin * loop.step.write);
  }
}

void HalfBytesAsBytes::run_block(const Share& bytes, const std::byte* read, std::int64_t read_at,
                                 std::byte* write, std::int64_t write_at) const {
  alignas(64) std::byte unpacked[kSlack + kRoom + kSlack], copied[kElements + kSlack];
  const std::byte* from = unpacked + kSlack + bytes_.read_offset;
  if (ways_ == Ways::kParted) {
    from = read + (read_at >> 1);
  } else {
    Work in;
    in.run = in_.length;
    in.loops = in_.loops;
    read_at += in_.first;
    in.read_half = static_cast<int>(read_at & 1);
    read += read_at >> 1;
    if (ways_ == Ways::kJoined) {
      join_runs()[slot_](in, apart_, read, unpacked + kSlack);
    } else {
      unpack_runs()[slot_](in, read, unpacked + kSlack);
    }
  }
  if (ways_ == Ways::kJoined) return bytes.walk(from, write + (write_at >> 1));

  bytes.walk(from, copied + bytes_.write_offset);
  Work out;
  out.run = out_.length;
  out.loops = out_.loops;
  out.write_half = static_cast<int>(write_at & 1);
  write += write_at >> 1;
  if (ways_ == Ways::kParted) {
    part_runs()[slot_](out, apart_, copied, write);
  } else {
    pack_runs()[slot_](out, copied, write);
  }
}

}  // namespace reshape::optimized
