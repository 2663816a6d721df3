// Copies by tables for blocks of the output, each of which is gathered from all over the input.
// Included once per target.
#if defined(RESHAPE_GATHER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RESHAPE_GATHER_INL_H
#undef RESHAPE_GATHER_INL_H
#else
#define RESHAPE_GATHER_INL_H
#endif

#include "optimized/kernels/gather.h"
#include "optimized/kernels/half_runs-inl.h"
#include "optimized/kernels/tables-inl.h"
#include "optimized/kernels/walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// A Table has `kHalves` (of half bytes, or of bytes), `kMostBytes` (of the longest block) and
// `kBytes` (of a vector that blocks should fill), and
//   bool plan(const GatherBlock& block, std::int64_t run, std::span<const Step> loops, int half);
//   void make(std::int64_t n, const Byte* from, std::int64_t read, Byte* to,
//             std::int64_t write) const;
// plan() is false where there is no room; `half` is 1 if the block's input begins with the upper
// half of a byte. make() copies `n` blocks, `read` and `write` bytes apart on the two sides.

// The tables of a block: two for half bytes, since a block may begin with either half of a byte.
template <class Table>
class GatherTables : public Tables {
 public:
  static constexpr bool kHalves = Table::kHalves;
  static constexpr std::int64_t kInByte = kHalves ? 2 : 1;

  explicit GatherTables(const Work& work) {
    for (std::int64_t most = Table::kMostBytes; most >= kLeastGathered; most /= 2) {
      block_ = gather_block(work.run, work.loops, kHalves, most, Table::kBytes);
      if (block_.units == 0 || planned(work)) return;
    }
    block_.units = 0;
  }

  // Has 0 units where there are no tables.
  const GatherBlock& block() const { return block_; }

  // Copies `n` blocks from unit `read` on: `apart` units apart in the input, and `bytes` bytes in
  // the output.
  HWY_INLINE void make(std::int64_t n, const Byte* from, std::int64_t read, std::int64_t apart,
                       Byte* to, std::int64_t bytes) const {
    if (apart % kInByte == 0) {
      return table_[read & (kInByte - 1)].make(n, from + (read >> (kInByte - 1)), apart / kInByte,
                                               to, bytes);
    }
    for (std::int64_t i = 0; i < n; ++i, read += apart, to += bytes) {
      table_[read & (kInByte - 1)].make(1, from + (read >> (kInByte - 1)), 0, to, 0);
    }
  }

 private:
  bool planned(const Work& work) {
    bool both = false;
    for (std::size_t i = block_.whole; i < work.loops.size(); ++i)
      both |= work.loops[i].read % 2 != 0;
    for (int half = 0; half < kInByte; ++half) {
      if (!both && half != (work.read_half & 1)) continue;
      if (!table_[half].plan(block_, work.run, work.loops, half)) return false;
    }
    return true;
  }

  GatherBlock block_;
  Table table_[kInByte];
};

// A copy by GatherTables.
template <class Table>
class Gathering {
 public:
  Gathering(const Work& work, const GatherTables<Table>& tables)
      : tables_(tables),
        block_(tables.block()),
        run_(work.run),
        stream_(work.stream),
        loops_(work.loops),
        inside_(block_.whole),
        steps_(block_.steps) {
    // A block with all steps of its last loop counts as one step of the loop around it.
    if (steps_ == loops_[inside_].count && inside_ + 1 < loops_.size()) {
      ++inside_;
      steps_ = 1;
    }
    row_ = loops_[inside_];
  }

  // Positions in units.
  HWY_INLINE void copy(const Byte* from, std::int64_t read, Byte* to, std::int64_t write) const {
    if (block_.units == 0) return one_by_one(loops_, from, read, to, write);
    WalkLoops(loops_.subspan(inside_ + 1), read, write,
              [&](std::int64_t at, std::int64_t out) HWY_ATTR { row(from, at, to, out); });
  }

 private:
  static constexpr bool kHalves = Table::kHalves;
  static constexpr std::int64_t kInByte = kHalves ? 2 : 1;
  static constexpr std::int64_t kStage = 4096, kWorthStaging = 512;

  // The blocks of one loop. The last block is moved forward to end with the loop; where it would
  // then write from the middle of a byte, the last step is copied alone.
  HWY_INLINE void row(const Byte* from, std::int64_t read, Byte* to, std::int64_t write) const {
    Byte* out = to + write / kInByte;
    const Step row = row_;
    std::int64_t count = row.count;
    const std::int64_t steps = steps_, bytes = block_.units / kInByte;
    if (kHalves && (count - steps) * row.write % 2 != 0) {
      --count;
      one_by_one(loops_.first(inside_), from, read + count * row.read, to,
                 write + count * row.write);
    }
    const std::int64_t blocks = count / steps, apart = steps * row.read;
    const std::int64_t written = steps * row.write / kInByte;
    if (stream_ && written == bytes && blocks * bytes >= kWorthStaging) {
      alignas(64) Byte stage[kStage];
      const std::int64_t most = kStage / bytes;
      for (std::int64_t i = 0; i < blocks; i += most) {
        const std::int64_t few = HWY_MIN(most, blocks - i);
        tables_.make(few, from, read + i * apart, apart, stage, bytes);
        StreamRun(stage, out + i * bytes, few * bytes, 0);
      }
    } else {
      tables_.make(blocks, from, read, apart, out, written);
    }
    if (blocks * steps == count) return;
    const std::int64_t begin = count - steps;
    tables_.make(1, from, read + begin * row.read, 0, to + (write + begin * row.write) / kInByte,
                 0);
  }

  void one_by_one(std::span<const Step> loops, const Byte* from, std::int64_t read, Byte* to,
                  std::int64_t write) const {
    WalkLoops(loops, read, write, [&](std::int64_t at, std::int64_t out) HWY_ATTR {
      if constexpr (kHalves) {
        HalfRun(from, at, to, out, run_);
      } else {
        CopyShort(from + at, to + out, run_);
      }
    });
  }

  const GatherTables<Table>& tables_;
  const GatherBlock block_;
  const std::int64_t run_;
  const bool stream_;
  const std::span<const Step> loops_;
  std::size_t inside_;  // the number of loops that are in a block with all their steps
  std::int64_t steps_;  // how many steps of the next loop are in a block
  Step row_;            // that next loop
};

template <class Table>
HWY_INLINE void GatherUnits(const Work& work, const std::byte* read, std::byte* write) {
  WithTables<GatherTables<Table>>(work, [&](const GatherTables<Table>& tables) HWY_ATTR {
    Gathering<Table>(work, tables)
        .copy(reinterpret_cast<const Byte*>(read), work.read_half, reinterpret_cast<Byte*>(write),
              work.write_half);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
