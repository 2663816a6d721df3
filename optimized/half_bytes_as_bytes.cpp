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
  explicit Block(const UnitNest& nest) : nest_(nest), elements_(nest.run) {
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

  // The loops over the bytes of the block.
  LoopNest as_bytes() const {
    LoopNest nest;
    nest.bits = 8;
    if (nest_.run > 1) nest.loops.push_back({nest_.run, 1, 1});
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i] == 1) continue;
      nest.loops.push_back({steps_[i], read_[i], write_[i]});
      if (read_[i] < 0) nest.read_offset -= read_[i] * (steps_[i] - 1);
    }
    return nest;
  }

 private:
  // Lengthens the runs, of the side with the shorter ones first, until both have `enough` elements.
  void grow(std::int64_t enough) {
    lay_out();
    while (true) {
      const std::size_t read = next(&Step::read, in_.length, kSparse * in_.length, enough);
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
    lay_out(&Step::read, kSparse, 1, in_, read_);
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

// Whether the half_bytes kernel transposes the nest, two rows of the input at a time: both sides
// fill its blocks, and the rows of the output do not alternate between the halves of a byte.
bool is_turned_in_pairs(const UnitNest& nest) {
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

}  // namespace

std::optional<HalfBytesAsBytes> HalfBytesAsBytes::of(const UnitNest& nest, const Target& target) {
  constexpr std::int64_t kFewElements = 512, kShortRuns = 16;
  if (!nest.half_bytes || nest.units() < kFewElements) return std::nullopt;
  if (is_of_long_runs(nest) || is_turned_in_pairs(nest)) return std::nullopt;
  const Block block(nest);
  const std::int64_t longest_runs =
      std::max(count_of(block.in().loops), count_of(block.out().loops));
  if (block.elements() < kShortRuns * longest_runs) return std::nullopt;

  HalfBytesAsBytes copy;
  copy.in_ = block.in();
  copy.out_ = block.out();
  for (Step& loop : copy.out_.loops) std::swap(loop.read, loop.write);
  copy.bytes_ = in_units(block.as_bytes());
  for (std::size_t i = 0; i < nest.loops.size(); ++i) {
    const Step& loop = nest.loops[i];
    const std::int64_t steps = block.steps(i);
    if (steps < loop.count) copy.around_.push_back({loop, ceil_of(loop.count, steps), steps});
  }
  copy.slot_ = target.slot;
  copy.choice_ = choose(copy.bytes_, {target, !copy.around_.empty()});
  return copy;
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
  if (depth == around_.size()) return run_block(bytes, read, read_at + in_.first, write, write_at);
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
  Work in, out;
  in.run = in_.length;
  in.loops = in_.loops;
  in.read_half = static_cast<int>(read_at & 1);
  unpack_runs()[slot_](in, read + (read_at >> 1), unpacked + kSlack);

  bytes.walk(unpacked + kSlack + bytes_.read_offset, copied + bytes_.write_offset);

  out.run = out_.length;
  out.loops = out_.loops;
  out.write_half = static_cast<int>(write_at & 1);
  pack_runs()[slot_](out, copied, write + (write_at >> 1));
}

}  // namespace reshape::optimized
